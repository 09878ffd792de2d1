import type { FastifyReply } from 'fastify'
import type { PageState } from '../../consent/form-token.js'
import type { Unenrolled } from '../../consent/second-step.js'
import type { Proof } from '../../factors/set-up-rule.js'
import type { FoundUser } from '../../stores/users/user-lookup.js'

/** The form of a page of the second step. */
export interface StepForm {
  /** Where it is sent. The page there restarts the sign-in. */
  readonly action: string
  /** What its form token is bound to. */
  readonly query: string
  /** Value of `decision`. */
  readonly decision: string
  /** Name of the app that the user signs in to; `undefined`: none, or a device's. */
  readonly clientName?: string
  /** Code that a device shows; `undefined`: none. */
  readonly userCode?: string
  readonly leadsOutside?: boolean
  /** Digest of the id of the link that the page belongs to; `undefined`: none. */
  readonly link?: string
}

/** Buttons of the pages that set up a factor during a sign-in. */
export const ENROLLING_STEPS = ['mail-code', 'enter-code', 'confirm-app', 'confirm-passkey'] as const

/** Button of sign-in pages that signs in with the upstream provider. */
export const UPSTREAM_DECISION = 'upstream'

/** A user who must set up a factor, and the state of the page. */
export interface AskedToEnroll extends Omit<Unenrolled, 'outcome'> { readonly page: PageState }

/** Sets up a factor during a sign-in that requires one: an authenticator app or, if only that suffices, a passkey. */
export interface EnrollDuringSignIn {
  /** Shows the first page: the set-up, or what the user needs before. */
  begin (reply: FastifyReply, form: StepForm, asked: AskedToEnroll): Promise<FastifyReply>
  /** Shows the page that sets up the factor to a user whose password and proof were right: a passkey, if a role requires one. */
  setUp (reply: FastifyReply, form: StepForm, user: FoundUser, proof: Proof): Promise<FastifyReply>
  /**
   * Answers a form of its pages, as a hook; `undefined`: it is another form.
   * @throws OAuthError `foreignForm`, `expiredForm`, `endedForm`
   */
  answer (reply: FastifyReply, form: StepForm): Promise<FastifyReply | undefined>
}
