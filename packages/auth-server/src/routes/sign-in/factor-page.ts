import type { Acr } from '@frontdesk/schemas/acr'
import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { PageState } from '../../consent/form-token.js'
import type { SignInFailure } from '../../consent/visit.js'
import { challengeOf } from '../../factors/relying-party.js'
import { message } from '../../languages/translator.js'
import { PASSKEY_ACR } from '../../oauth/acr.js'
import type { FoundUser } from '../../stores/users/user-lookup.js'
import { passkeyScript } from '../page-script.js'
import type { AskedToEnroll, EnrollDuringSignIn, StepForm } from './step-form.js'
import { issuePageToken } from '../visit.js'

/** Who must enter a code, and the failure of the last one. */
interface Asked extends Pick<FoundUser, 'username' | 'factors'> {
  readonly page: PageState
  readonly failure?: SignInFailure | undefined
}

interface Parts { readonly formKeys: FormKeys, readonly enrolling: EnrollDuringSignIn }

/** Shows what a sign-in still needs: the page that requests a code, or the one that sets up a factor. */
export async function showSecondStep (
  reply: FastifyReply,
  parts: Parts,
  form: StepForm,
  step: { readonly outcome: 'factor' } & Asked | { readonly outcome: 'unenrolled' } & AskedToEnroll
): Promise<FastifyReply> {
  if (step.outcome === 'unenrolled') return await parts.enrolling.begin(reply, form, step)
  return await showFactorPage(reply, parts.formKeys, form, step)
}

/** Shows the page that requests the code of a factor, after the password or in a session. */
export async function showFactorPage (
  reply: FastifyReply, formKeys: FormKeys, { query, leadsOutside = false, ...form }: StepForm, { username, factors, page, failure }: Asked
): Promise<FastifyReply> {
  const kinds = factors?.split(' ') ?? []
  const transaction = issuePageToken(reply, formKeys, query, page)
  return await reply.code(failure?.statusCode ?? 200).page('factor', {
    title: message(kinds.includes('passkey') ? 'factor.confirm' : 'factor.enter-code'),
    challenge: kinds.includes('passkey') ? challengeOf(transaction) : undefined,
    hasApp: kinds.includes('totp'),
    ...form,
    username,
    isSignedIn: page.userId !== undefined,
    transaction,
    failure
  }, { leadsOutside, ...kinds.includes('passkey') && { script: passkeyScript } })
}

/** What a user needs to reach a level: the value `step` of messages. */
export function stepFor (acr: Acr | undefined): 'passkey' | 'two-step' {
  return acr === PASSKEY_ACR ? 'passkey' : 'two-step'
}
