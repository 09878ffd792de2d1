import type { Acr } from '@frontdesk/schemas/acr'
import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../consent/form-keys.js'
import type { PageState } from '../consent/form-token.js'
import type { SignInFailure } from '../consent/visit.js'
import { challengeOf } from '../factors/relying-party.js'
import { PASSKEY_ACR } from '../oauth/acr.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import { passkeyScript } from './page-script.js'
import { issuePageToken } from './visit.js'

/** The form of a page that requests a code. */
interface FactorForm {
  /** Where it is sent. The page there restarts the sign-in. */
  readonly action: string
  /** What its form token is bound to. */
  readonly query: string
  /** Value of `decision`. */
  readonly decision: string
  /** Code that a device shows; `undefined`: none. */
  readonly userCode?: string
  readonly leadsOutside?: boolean
}

/** Who must enter a code, and the failure of the last one. */
interface Asked extends Pick<FoundUser, 'username' | 'factors'> {
  readonly page: PageState
  readonly failure?: SignInFailure | undefined
}

/** Shows what a sign-in still needs: the page that requests a code, or that the user has no factor that suffices. */
export async function showSecondStep (
  reply: FastifyReply,
  formKeys: FormKeys,
  form: FactorForm,
  step: { readonly outcome: 'factor' } & Asked | { readonly outcome: 'unenrolled', readonly acr: Acr }
): Promise<FastifyReply> {
  return step.outcome === 'factor' ? await showFactorPage(reply, formKeys, form, step) : await showUnenrolled(reply, step.acr, form.action)
}

/** Shows the page that requests the code of a factor, after the password or in a session. */
export async function showFactorPage (
  reply: FastifyReply, formKeys: FormKeys, { query, leadsOutside = false, ...form }: FactorForm, { username, factors, page, failure }: Asked
): Promise<FastifyReply> {
  const kinds = factors?.split(' ') ?? []
  const transaction = issuePageToken(reply, formKeys, query, page)
  return await reply.code(failure?.statusCode ?? 200).page('factor', {
    title: kinds.includes('totp') ? 'Enter your code' : 'Use your passkey',
    challenge: kinds.includes('passkey') ? challengeOf(transaction) : undefined,
    hasApp: kinds.includes('totp'),
    ...form,
    username,
    isSignedIn: page.userId !== undefined,
    transaction,
    failure
  }, { leadsOutside, ...kinds.includes('passkey') && { script: passkeyScript } })
}

/** Shows that a user has no factor that suffices. @param startAgain address that restarts the sign-in */
async function showUnenrolled (reply: FastifyReply, acr: Acr, startAgain: string): Promise<FastifyReply> {
  return await reply.code(403).page('unenrolled', { title: `Your account needs ${stepFor(acr)}`, startAgain })
}

/** What a user needs to reach a level, in words. */
export function stepFor (acr: Acr | undefined): string {
  return acr === PASSKEY_ACR ? 'a passkey' : 'a second step'
}
