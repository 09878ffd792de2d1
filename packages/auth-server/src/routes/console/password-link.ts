import type { SentLink } from '../../admin/password-link.js'
import { showTime } from '../account/account-page.js'
import type { View } from './define.js'

/** The page about a new link. If the link was not emailed, administrators see it here, once. */
export function linkView (
  { id, username, passwordLink, mailFailure }: SentLink & { id: string, username: string }, title: string
): View {
  const { linkEndsAt } = passwordLink
  return {
    view: 'link',
    title,
    data: {
      id,
      person: username,
      link: 'link' in passwordLink ? passwordLink.link : undefined,
      mailedTo: 'mailedTo' in passwordLink ? passwordLink.mailedTo : undefined,
      mailFailure,
      endsAt: showTime(linkEndsAt)
    }
  }
}
