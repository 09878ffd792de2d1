import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import { readBasic } from './basic.js'
import type { ClientAuth } from './client-auth.js'

/** Id and secret in the `Authorization` header (RFC 6749 §2.3.1, RFC 7617). */
export const clientSecretBasic: ClientAuth = {
  name: 'client_secret_basic',
  proof: 'secret',
  claims (credentials) {
    const { id, secret } = readBasic(credentials) ?? {}
    return secret === undefined ? undefined : id
  },
  verify: async ({ stores }, { id }, credentials) => await stores.clientSecrets.has(id, hashOpaqueToken(readBasic(credentials)?.secret ?? ''))
}
