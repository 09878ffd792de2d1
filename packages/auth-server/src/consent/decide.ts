import type { Authentication } from '../oauth/authentication.js'
import { errors, type OAuthError } from '../oauth/errors.js'
import { sessionFor } from '../oauth/interaction.js'
import { acceptsSignIn, needsLocalSignIn } from '../oauth/local-sign-in.js'
import { scopesToGrant } from '../oauth/scope.js'
import { subjectOf } from '../oauth/subject.js'
import type { Session } from '../stores/sessions/session-list.js'
import type { FormKeys } from './form-keys.js'
import { digestShown, verifyFormToken, type PageState } from './form-token.js'
import { identify, type Attempt, type DecisionForm, type Identified, type RequestedAccess } from './identify.js'
import { findSecondStep, type Unenrolled } from './second-step.js'
import type { SignInFailure, Visit } from './visit.js'

/** The user who decides, whose session can be starting. */
interface Decider extends Identified {
  readonly started: Promise<Session | SignInFailure>
}

/** `ask`: show the page again. `refused`: the user cannot allow the request. `gone`: the request is no longer pending. */
export type Decision<R extends RequestedAccess> =
  | { readonly outcome: 'denied' | 'signed out' }
  | { readonly outcome: 'gone', readonly nonce: string }
  | Refused
  | (Ask | AskFactor | AskSetUp) & { readonly requested: R }
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
  readonly user: Identified | null
  /** Whether the user has signed in on a page of this request. */
  readonly hasSignedIn?: boolean
  readonly failure?: SignInFailure
}

/** Shows the page that requests a code. */
interface AskFactor extends Pick<Identified, 'username' | 'factors'> {
  readonly outcome: 'factor'
  readonly page: PageState
  readonly failure?: SignInFailure | undefined
}

/** Shows that the user must set up a factor, with this page. */
interface AskSetUp extends Unenrolled { readonly page: PageState }

interface Refused { readonly outcome: 'refused', readonly error: OAuthError }

type Objection = Ask | AskFactor | AskSetUp | Refused

type Rule = (attempt: Attempt) => Objection | null | Promise<Objection | null>

/** The conditions for access, in order: the first rule that objects decides. */
const rules: readonly Rule[] = [isRequiredUser, isAdmittedUser, hasRecentSignIn, hasFactor, hasScopesToGrant, hasSeenRequest]

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
  const attempt = await identify(form, { page, requested, visit })
  if ('message' in attempt) {
    const { username, factors = null } = attempt
    return { ...attempt.isOfCode ? askFactor(page, { username, factors }, attempt) : askAfter(attempt), requested }
  }
  const { user, start } = attempt
  for (const rule of rules) {
    const objection = await rule(attempt)
    if (objection === null) continue
    const final = await objected(objection, attempt)
    return final.outcome === 'refused' ? final : { ...final, requested }
  }
  const decider = { ...user, started: start() }
  return { outcome: 'allow', requested, decider, scope: scopesToGrant(requested.scope, user.withheld), nonce }
}

/** The user stays signed in to answer the objection, unless they have yet to use a factor. */
async function objected (objection: Objection, attempt: Attempt): Promise<Objection> {
  const isFactorMissing = objection.outcome === 'refused' ? await hasFactor(attempt) !== null : objection.outcome !== 'ask'
  if (isFactorMissing) {
    await attempt.postpone()
    return objection
  }
  const session = await attempt.start()
  return objection.outcome === 'ask' && 'message' in session ? askAfter(session) : objection
}

function isRequiredUser ({ requiredSubjects, requested: { client }, user: { userId } }: Attempt): Objection | null {
  if (requiredSubjects.every(subjects => subjects.includes(subjectOf(client, userId)))) return null
  return { outcome: 'refused', error: errors.loginRequired('the signed-in user is not the one in id_token_hint or claims') }
}

/** An app can require a role. The statement that stores the grant checks it again. */
function isAdmittedUser ({ requested: { client }, user: { isAdmitted } }: Attempt): Objection | null {
  if (isAdmitted) return null
  return { outcome: 'refused', error: errors.notAdmitted('the user has none of the roles that the client requires', { client: client.id }) }
}

/** `max_age` can pass while the page is open. One sign-in suffices for a request (OpenID Connect Core §3.1.2.1). */
function hasRecentSignIn ({ hasSignedIn, requested, user, visit: { now } }: Attempt): Objection | null {
  if (acceptsSignIn(requested, user) && (hasSignedIn || recentSession(requested, user, now) !== null)) return null
  return { outcome: 'ask', why: 'reauthenticate', user: null }
}

/** The user, a role of theirs, the app or the request can require a second factor. */
async function hasFactor ({ requested, user, factorPage, visit }: Attempt): Promise<Objection | null> {
  const step = await findSecondStep(user, requested, () => visit.isTrustedBy(user.userId))
  if (step?.outcome === 'unenrolled') return { ...step, page: factorPage }
  return step?.outcome === 'factor' ? askFactor(factorPage, user) : step
}

/** A device has no callback for the error: its page shows the withheld scopes first. */
function hasScopesToGrant ({ requested, user, page }: Attempt): Objection | null {
  const { client, scope, redirectUri } = requested
  if (scope.length === 0 || scopesToGrant(scope, user.withheld).length > 0) return null
  if (redirectUri === undefined && page.shown !== digestShown(requested, user)) return null
  return { outcome: 'refused', error: errors.emptyScope('the user can grant none of the scopes', { client: client.id }) }
}

/**
 * A page rendered before sign-in showed the whole request; the pages that set up a factor keep what it showed. The client's registration
 * or the user's roles can have changed since.
 */
function hasSeenRequest ({ requested, user, page, hasSignedIn }: Attempt): Objection | null {
  const { shown, userId, passed } = page
  if (shown === digestShown(requested, user)) return null
  const isBeforeSignIn = userId === undefined || passed !== undefined
  const isChanged = !isBeforeSignIn || shown !== digestShown(requested, null)
  return { outcome: 'ask', why: isChanged ? 'changed' : 'withheld', user, hasSignedIn }
}

/** The session, if it is recent enough; else `null`. Administration by a device always needs a password. */
export function recentSession<T extends Authentication> (
  { interaction, ...requested }: Pick<RequestedAccess, 'client' | 'interaction' | 'redirectUri' | 'scope'>, session: T | null, now: Date
): T | null {
  if (session === null || !acceptsSignIn(requested, session)) return null
  return requested.redirectUri === undefined && needsLocalSignIn(requested) ? null : sessionFor(interaction, session, now)
}

function askAfter (failure: SignInFailure): Ask {
  return { outcome: 'ask', why: 'failed', user: null, failure }
}

function askFactor (
  page: PageState, { username, factors }: Pick<Identified, 'username' | 'factors'>, failure?: SignInFailure
): AskFactor {
  return { outcome: 'factor', username, factors, page, failure }
}
