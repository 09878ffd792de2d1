import { PASSWORD, type Authentication } from '../oauth/authentication.js'
import type { Client } from '../oauth/client.js'
import { errors, type OAuthError } from '../oauth/errors.js'
import { isAdminScope } from '../oauth/admin-scopes.js'
import { sessionFor, type Interaction } from '../oauth/interaction.js'
import { scopesToGrant } from '../oauth/scope.js'
import { subjectOf } from '../oauth/subject.js'
import type { Session } from '../stores/sessions/session-list.js'
import type { FoundSession } from '../stores/sessions/sessions.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import type { FormKeys } from './form-keys.js'
import { digestShown, verifyFormToken, type Binding, type FormToken } from './form-token.js'

/** The fields of a sign-in form. */
export interface Credentials { username?: string | undefined, password?: string | undefined }

/** A failed sign-in, as a page shows it. */
export interface SignInFailure { statusCode: 403 | 429 | 503, message: string, username: string }

/** A session that starts after a password was verified. */
export interface StartingSession {
  readonly user: Pick<FoundUser, 'id' | 'username' | 'grantEpoch' | 'withheld' | 'isAdmitted'>
  /** Resolves to the stored session, or to the reason why it was refused. Send no response before. */
  readonly started: Promise<Session | SignInFailure>
}

/** The form of a consent page. */
export interface DecisionForm extends Credentials {
  readonly decision: 'allow' | 'deny' | 'switch'
  /** The form token. */
  readonly transaction: string
}

/** The access that a browser or a device requests. */
export interface RequestedAccess {
  readonly client: Client
  readonly scope: readonly string[]
  /** Callback of a browser. A device has none. */
  readonly redirectUri?: string
  readonly interaction: Pick<Interaction, 'reauthenticate' | 'maxAge'>
  /** Lists that must all contain the user's `sub`. Read before a sign-in. */
  readonly requiredSubjects: () => Promise<ReadonlyArray<readonly string[]>>
}

/** The browser that sends the form. */
export interface Visit {
  readonly now: Date
  /** What the form token must be bound to. */
  readonly binding: Binding
  readonly session: (clientId: string) => Promise<FoundSession | null>
  readonly signIn: (form: Credentials, clientId: string) => Promise<StartingSession | SignInFailure>
  readonly signOut: () => Promise<void>
}

/** The user who decides. */
interface Decider extends Authentication, Pick<FoundSession, 'userId' | 'username' | 'epoch' | 'withheld' | 'isAdmitted'> {
  readonly started: Promise<Session | SignInFailure>
}

/** `ask`: show the page again. `refused`: the user cannot allow the request. `gone`: the request is no longer pending. */
export type Decision<R extends RequestedAccess> =
  | { readonly outcome: 'denied' | 'signed out' }
  | { readonly outcome: 'gone', readonly nonce: string }
  | { readonly outcome: 'refused', readonly error: OAuthError }
  | Ask & { readonly requested: R }
  | Allowed<R>

interface Allowed<R> {
  readonly outcome: 'allow'
  readonly requested: R
  readonly decider: Decider
  readonly scope: readonly string[]
  readonly nonce: string
}

interface Ask {
  readonly outcome: 'ask'
  readonly why: 'failed' | 'reauthenticate' | 'changed' | 'withheld'
  /** The signed-in user; `null`: the page requires a password. */
  readonly user: Decider | null
  /** Whether the user has signed in on a page of this request. */
  readonly hasSignedIn?: boolean
  readonly failure?: SignInFailure
}

interface Attempt {
  readonly requested: RequestedAccess
  readonly decider: Decider
  readonly requiredSubjects: ReadonlyArray<readonly string[]>
  readonly hasSignedIn: boolean
  readonly page: FormToken
  readonly now: Date
}

type Rule = (attempt: Attempt) => Ask | { readonly outcome: 'refused', readonly error: OAuthError } | null

/** The conditions for access, in order: the first rule that objects decides. A second factor is one more rule. */
const rules: readonly Rule[] = [isRequiredUser, isAdmittedUser, hasRecentSignIn, hasScopesToGrant, hasSeenRequest]

/**
 * Decides the outcome of a consent page's form. Grants nothing itself.
 * @param findRequested finds the requested access; `null` if it is no longer pending. Called only for this browser's own form
 * @throws OAuthError `foreignForm`, `expiredForm`
 */
export async function decide<R extends RequestedAccess> (
  formKeys: FormKeys, form: DecisionForm, findRequested: () => Promise<R | null>, visit: Visit
): Promise<Decision<R>> {
  const page = verifyFormToken(formKeys, form.transaction, visit.binding, visit.now)
  if (form.decision === 'deny') return { outcome: 'denied' }
  if (form.decision === 'switch') {
    await visit.signOut()
    return { outcome: 'signed out' }
  }
  const { nonce } = page
  const requested = await findRequested()
  if (requested === null) return { outcome: 'gone', nonce }
  const attempt = await identify(form, page, requested, visit)
  if ('message' in attempt) return { ...askAfter(attempt), requested }
  const { decider } = attempt
  for (const rule of rules) {
    const objection = rule(attempt)
    if (objection === null) continue
    const session = await decider.started
    if (objection.outcome === 'refused') return objection
    return { ...('message' in session ? askAfter(session) : objection), requested }
  }
  return { outcome: 'allow', requested, decider, scope: scopesToGrant(requested.scope, decider.withheld), nonce }
}

/** Signs in with the form, or finds the session of the user whom the page named. */
async function identify (
  form: DecisionForm, page: FormToken, requested: RequestedAccess, { now, session: findSession, signIn }: Visit
): Promise<Attempt | SignInFailure> {
  const clientId = requested.client.id
  if (form.username === undefined && page.userId !== undefined) {
    const session = await findSession(clientId)
    if (session?.userId !== page.userId) throw errors.foreignForm('another user has signed in since, or the session was revoked')
    const decider = { ...session, started: Promise.resolve(session) }
    return { requested, decider, requiredSubjects: [], hasSignedIn: page.hasSignedIn, page, now }
  }
  const requiredSubjects = await requested.requiredSubjects()
  const starting = await signIn(form, clientId)
  if ('message' in starting) return starting
  const { user: { id: userId, username, grantEpoch: epoch, withheld, isAdmitted }, started } = starting
  const decider = { userId, username, authTime: now, amr: PASSWORD, epoch, withheld, isAdmitted, started }
  return { requested, decider, requiredSubjects, hasSignedIn: true, page, now }
}

function isRequiredUser ({ requiredSubjects, requested: { client }, decider: { userId } }: Attempt) {
  if (requiredSubjects.every(subjects => subjects.includes(subjectOf(client, userId)))) return null
  return { outcome: 'refused', error: errors.loginRequired('the signed-in user is not the one in id_token_hint or claims') } as const
}

/** An app can require a role. The statement that stores the grant checks it again. */
function isAdmittedUser ({ requested: { client }, decider: { isAdmitted } }: Attempt) {
  if (isAdmitted) return null
  return { outcome: 'refused', error: errors.notAdmitted('the user has none of the roles that the client requires', { client: client.id }) } as const
}

/** `max_age` can pass while the page is open. One sign-in suffices for a request (OpenID Connect Core §3.1.2.1). */
function hasRecentSignIn ({ hasSignedIn, requested, decider, now }: Attempt) {
  if (hasSignedIn || recentSession(requested, decider, now) !== null) return null
  return { outcome: 'ask', why: 'reauthenticate', user: null } as const
}

/** A device has no callback for the error: its page shows the withheld scopes first. */
function hasScopesToGrant ({ requested, decider, page }: Attempt) {
  const { client, scope, redirectUri } = requested
  if (scope.length === 0 || scopesToGrant(scope, decider.withheld).length > 0) return null
  if (redirectUri === undefined && page.shown !== digestShown(requested, decider)) return null
  return { outcome: 'refused', error: errors.emptyScope('the user can grant none of the scopes', { client: client.id }) } as const
}

/** A page rendered before sign-in showed the whole request. The client's registration or the user's roles can have changed since. */
function hasSeenRequest ({ requested, decider: user, page: { shown, userId }, hasSignedIn }: Attempt) {
  if (shown === digestShown(requested, user)) return null
  const isChanged = userId !== undefined || shown !== digestShown(requested, null)
  return { outcome: 'ask', why: isChanged ? 'changed' : 'withheld', user, hasSignedIn } as const
}

/** The session, if it is recent enough; else `null`. A device cannot send `max_age`, so administration by one always needs a password. */
export function recentSession<T extends Pick<Authentication, 'authTime'>> (
  { interaction, redirectUri, scope }: Pick<RequestedAccess, 'interaction' | 'redirectUri' | 'scope'>, session: T | null, now: Date
): T | null {
  return redirectUri === undefined && scope.some(isAdminScope) ? null : sessionFor(interaction, session, now)
}

function askAfter (failure: SignInFailure): Ask {
  return { outcome: 'ask', why: 'failed', user: null, failure }
}
