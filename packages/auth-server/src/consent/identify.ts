import type { Authentication } from '../oauth/authentication.js'
import { errors } from '../oauth/errors.js'
import type { Interaction } from '../oauth/interaction.js'
import type { Client } from '../oauth/client.js'
import type { Session } from '../stores/sessions/session-list.js'
import type { FoundSession } from '../stores/sessions/sessions.js'
import type { FormToken, PageState } from './form-token.js'
import type { Leveled } from './second-step.js'
import type { Credentials, SignInFailure, StartingSession, Visit } from './visit.js'

/** The form of a consent page. */
export interface DecisionForm extends Credentials {
  readonly decision: 'allow' | 'deny' | 'switch'
  /** The form token. */
  readonly transaction: string
  /** Code of a factor. */
  readonly code?: string | undefined
}

/** The access that a browser or a device requests. */
export interface RequestedAccess {
  readonly client: Client
  readonly scope: readonly string[]
  /** Whether the client is an assistant: it requests access to an MCP server. */
  readonly isAssistant: boolean
  /** Callback of a browser. A device has none. */
  readonly redirectUri?: string
  readonly interaction: Pick<Interaction, 'reauthenticate' | 'maxAge' | 'acrs' | 'isAcrEssential'>
  /** Lists that must all contain the user's `sub`. Read before a sign-in. */
  readonly requiredSubjects: () => Promise<ReadonlyArray<readonly string[]>>
}

/** The user who decides. */
export type Identified = Authentication & Pick<Leveled, 'isStarting'> &
  Pick<FoundSession, 'userId' | 'username' | 'epoch' | 'withheld' | 'isAdmitted' | 'requiredAcr' | 'factors'>

/** A form, and who sends it. */
export interface Attempt {
  readonly requested: RequestedAccess
  readonly user: Identified
  readonly requiredSubjects: ReadonlyArray<readonly string[]>
  readonly hasSignedIn: boolean
  readonly page: FormToken
  /** State of the page that requests a code. */
  readonly factorPage: PageState
  readonly visit: Visit
  /** See {@link StartingSession}. */
  readonly start: StartingSession['start']
  readonly postpone: StartingSession['postpone']
}

type Base = Pick<Attempt, 'requested' | 'page' | 'visit'>

/** Signs in with the form, or finds the session of the user whom the page named. @throws OAuthError `foreignForm` */
export async function identify (form: DecisionForm, base: Base): Promise<Attempt | SignInFailure> {
  const { page, requested, visit } = base
  const clientId = requested.client.id
  const { userId, hasSignedIn, passed, shown } = page
  if (form.username === undefined && userId !== undefined) {
    const session = await visit.session(clientId)
    if (session?.userId !== userId) throw errors.foreignForm('another user has signed in since, or the session was revoked')
    const known = { ...base, requiredSubjects: [], hasSignedIn, factorPage: { userId, hasSignedIn, shown } }
    if (form.code === undefined) return { ...known, user: session, ...kept(session) }
    const starting = await visit.useFactor(session, clientId)
    return 'message' in starting ? starting : { ...known, ...ofSignIn(starting) }
  }
  const requiredSubjects = await requested.requiredSubjects()
  const starting = form.username === undefined && passed !== undefined
    ? await visit.useFactor(passed, clientId)
    : await visit.signIn(form, clientId)
  if ('message' in starting) return starting
  return { ...base, requiredSubjects, hasSignedIn: true, factorPage: { passed: starting.passed, shown }, ...ofSignIn(starting) }
}

/** A session that stays as it is. */
function kept (session: Session): Pick<Attempt, 'start' | 'postpone'> {
  return { start: async () => session, postpone: async () => {} }
}

function ofSignIn ({ user, authTime, amr, start, postpone }: StartingSession): Pick<Attempt, 'user' | 'start' | 'postpone'> {
  const { id: userId, username, grantEpoch: epoch, withheld, isAdmitted, requiredAcr, factors } = user
  return { user: { userId, username, authTime, amr, epoch, withheld, isAdmitted, requiredAcr, factors, isStarting: true }, start, postpone }
}
