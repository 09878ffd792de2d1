import type { Message } from '../languages/translator.js'
import type { Authentication } from '../oauth/authentication.js'
import type { Session } from '../stores/sessions/session-list.js'
import type { FoundSession } from '../stores/sessions/sessions.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import type { Binding, PassedPassword } from './form-token.js'

/** The fields of a sign-in form. `passkey`: the signed response of a passkey, instead of the others. */
export interface Credentials { username?: string | undefined, password?: string | undefined, passkey?: string | undefined }

/** A failed sign-in, as a page shows it. */
export interface SignInFailure {
  readonly statusCode: 403 | 429 | 503
  readonly message: Message
  readonly username: string
  /** Whether only the code was refused: its page requests another one. */
  readonly isOfCode?: boolean
  /** Whether the passkey was refused, not the user name or password. */
  readonly isOfPasskey?: boolean
  /** Kinds of the user's factors, if it is of the code. */
  readonly factors?: string | null
}

/** A sign-in whose password, code or passkey was right. Call one of its functions. */
export interface StartingSession extends Authentication {
  readonly user: FoundUser
  /** For the page that requests a code. */
  readonly passed: PassedPassword
  /** Starts the session. Resolves to the stored session, or to the reason why it was refused. Send no response before. */
  readonly start: () => Promise<Session | SignInFailure>
  /** Starts none, since a factor is required first. Send no response before it resolves. */
  readonly postpone: () => Promise<void>
}

/** The browser that sends the form. */
export interface Visit {
  readonly now: Date
  /** What the form token must be bound to. */
  readonly binding: Binding
  readonly session: (clientId: string) => Promise<FoundSession | null>
  readonly signIn: (form: Credentials, clientId: string) => Promise<StartingSession | SignInFailure>
  /** Checks the code of the form. @param first the password of this sign-in, or the session that needs a factor */
  readonly useFactor: (first: PassedPassword | FoundSession, clientId: string) => Promise<StartingSession | SignInFailure>
  /** Whether the user trusts this browser, so that no factor is required. */
  readonly isTrustedBy: (userId: string) => Promise<boolean>
  readonly signOut: () => Promise<void>
}
