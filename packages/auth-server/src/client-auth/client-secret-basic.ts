import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { ClientAuth } from './client-auth.js'

/** Id and secret in the `Authorization` header (RFC 6749 §2.3.1, RFC 7617). */
export const clientSecretBasic: ClientAuth = {
  name: 'client_secret_basic',
  proof: 'secret',
  claims: ({ basic }) => basic?.secret === undefined ? undefined : basic.id,
  verify: async ({ stores }, { id }, { basic }) => await stores.clientSecrets.has(id, hashOpaqueToken(basic?.secret ?? ''))
}
