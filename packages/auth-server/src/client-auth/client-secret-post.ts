import { single } from '../oauth/parameters.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { ClientAuth } from './client-auth.js'

/** Id and secret in the form (RFC 6749 §2.3.1). */
export const clientSecretPost: ClientAuth = {
  name: 'client_secret_post',
  proof: 'secret',
  claims: ({ form }) => 'client_secret' in form ? single(form, 'client_id') : undefined,
  verify: async ({ stores }, { id }, { form }) => await stores.clientSecrets.has(id, hashOpaqueToken(single(form, 'client_secret') ?? ''))
}
