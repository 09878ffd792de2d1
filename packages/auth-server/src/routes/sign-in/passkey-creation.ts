import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { PageState } from '../../consent/form-token.js'
import type { PasskeyEnrollments } from '../../factors/passkey-enrollment.js'
import { message } from '../../languages/translator.js'
import type { User } from '../../stores/users/users.js'
import { passkeyScript } from '../page-script.js'
import type { StepForm } from './step-form.js'
import { issuePageToken } from '../visit.js'

interface Creation {
  readonly formKeys: FormKeys
  readonly passkeyEnrollments: PasskeyEnrollments
  readonly form: StepForm
  /** State of the form token: it has a proof. */
  readonly state: PageState
  readonly user: Pick<User, 'id' | 'username'>
  /** Name of the new passkey. */
  readonly name: string
  /** Whether the sign-in requires it. */
  readonly isRequired?: boolean
}

/** Shows the page that creates a passkey. */
export async function showPasskeyCreation (
  reply: FastifyReply,
  { formKeys, passkeyEnrollments, form: { query, leadsOutside = false, link: _, ...form }, state, user, name, isRequired = false }: Creation
): Promise<FastifyReply> {
  const transaction = issuePageToken(reply, formKeys, query, state)
  const options = JSON.stringify(await passkeyEnrollments.begin(transaction, user))
  const content = { title: message('passkey.create-title'), ...form, transaction, name, options, isRequired, hasFactor: state.proof?.by === 'factor' }
  return await reply.page('passkey-creation', content, { script: passkeyScript, leadsOutside })
}
