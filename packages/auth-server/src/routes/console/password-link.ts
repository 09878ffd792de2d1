import type { Reason } from '../../languages/reason.js'
import type { SentLink } from '../../admin/password-link.js'
import type { Message } from '../../languages/translator.js'
import type { View } from './define.js'

/** A new link, and its user. */
type NewLink = SentLink['passwordLink'] & { readonly id: string, readonly username: string, readonly mailFailure?: Reason | undefined }

/** The page about a new link. If the link was not emailed, administrators see it here, once. */
export function linkView (made: NewLink, title: Message): View {
  const { id, username, mailFailure, linkEndsAt } = made
  return {
    view: 'link',
    title,
    data: {
      id,
      person: username,
      link: 'link' in made ? made.link : undefined,
      mailedTo: 'mailedTo' in made ? made.mailedTo : undefined,
      mailFailure,
      endsAt: linkEndsAt
    }
  }
}
