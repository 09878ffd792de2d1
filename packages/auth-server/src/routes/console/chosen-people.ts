import { inviteAgain } from '../../admin/passwords.js'
import { invalid } from '../../admin/refusal.js'
import { signOutUser } from '../../admin/sessions.js'
import { setUserDisabled } from '../../admin/users.js'
import type { Right } from '../../admin/rights.js'
import type { MessageKey } from '../../languages/languages.js'
import { reason } from '../../languages/reason.js'
import { message, type Text } from '../../languages/translator.js'
import { action, checkedOf, type SentForm, type Visit } from './define.js'
import { people, PAGE_SIZE } from './people.js'
import { explain, refusalOf } from './refusal.js'

/** Maximum concurrent changes: each email waits for the mail server. */
const AT_ONCE = 5

type ChosenVisit = Visit & { readonly form: SentForm }

/** The result for a user, in sentences, and a link that is shown once. */
interface Outcome { readonly texts: readonly Text[], readonly link?: string | undefined }

interface Spec {
  readonly right: Exclude<Right, 'read'>
  readonly isSensitive?: Right
  readonly title: MessageKey
}

/** An action on the users selected in the list. Each user is changed separately: if one change is refused, the others go on. */
function onChosen (
  name: string, { title, ...spec }: Spec, act: (visit: ChosenVisit, id: string) => Promise<Outcome>
) {
  return action(`${name}-chosen`, `/people/${name}`, { page: people, ...spec }, async visit => {
    const ids = [...new Set(checkedOf(visit, 'users'))]
    if (ids.length === 0) throw invalid('users', reason('reason.choose-one'))
    if (ids.length > PAGE_SIZE) throw invalid('users', reason('reason.choose-fewer', { count: PAGE_SIZE }))
    // Read first, so that a refusal can name the user.
    const names = await visit.stores.users.names(ids)
    const results: Array<Outcome & { readonly isDone: boolean, readonly id: string, readonly username: string }> = []
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      results.push(...await Promise.all(ids.slice(at, at + AT_ONCE).map(async id => ({
        id, username: names.get(id) ?? id, ...await act(visit, id).then(outcome => ({ ...outcome, isDone: true }), refused)
      }))))
    }
    return { view: 'people-done', title: message(title), data: { results, done: results.filter(({ isDone }) => isDone).length } }
  })
}

function refused (error: unknown) {
  return { texts: refusalOf(error).faults.map(explain), isDone: false }
}

/** The actions for users selected in the list. */
export const chosenActions = [
  onChosen('sign-out', { right: 'support', title: 'console.action-sign-out-everywhere' }, async ({ stores, by }, id) => {
    await signOutUser(stores, { id }, by)
    return { texts: [message('console.people.done-signed-out')] }
  }),

  onChosen('invite-again', { right: 'support', isSensitive: 'manage', title: 'console.people.resend-invitations' }, async ({ stores, config, by }, id) => {
    const { passwordLink, mailFailure } = await inviteAgain(stores, { id }, { config }, by)
    if ('mailedTo' in passwordLink) return { texts: [message('console.people.done-mailed', { address: passwordLink.mailedTo })] }
    const { link } = passwordLink
    return { texts: [mailFailure ?? message('console.link.pass-on')], link }
  }),

  onChosen('disable', { right: 'manage', title: 'console.action-disable' }, async ({ stores, by }, id) => {
    await setUserDisabled(stores, { id }, true, by)
    return { texts: [message('console.people.done-disabled')] }
  })
]
