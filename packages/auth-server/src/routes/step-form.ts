import type { FastifyReply } from 'fastify'

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
}

/** Buttons of the pages that set up an authenticator app during a sign-in. */
export const ENROLLING_STEPS = ['mail-code', 'enter-code', 'confirm-app'] as const

/** Sets up an authenticator app during a sign-in that requires a factor. */
export interface EnrollDuringSignIn {
  /** Whether the user can: by a code that is mailed to a verified address. The password must not suffice. */
  canEnroll (userId: string): Promise<boolean>
  /**
   * Answers a form of its pages, as a hook; `undefined`: it is another form.
   * @throws OAuthError `foreignForm`, `expiredForm`, `endedForm`
   */
  answer (reply: FastifyReply, form: StepForm): Promise<FastifyReply | undefined>
}
