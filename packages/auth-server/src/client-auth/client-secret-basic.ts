import { oauthError } from '../oauth/errors.js'
import { hashOpaque } from '../sign-in/opaque.js'
import type { ClientAuth, Credentials } from './client-auth.js'

/** Id and secret in the `Authorization` header (RFC 6749 §2.3.1, RFC 7617). */
export const clientSecretBasic: ClientAuth = {
  name: 'client_secret_basic',
  claims: credentials => credentials.authorization === undefined ? undefined : read(credentials)[0],
  verify: async ({ stores }, { id }, credentials) => await stores.clientSecrets.has(id, hashOpaque(read(credentials)[1]))
}

function read ({ authorization = '' }: Credentials): [id: string, secret: string] {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  try {
    if (id && secret !== undefined) return [decode(id), decode(secret)]
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  throw oauthError('invalidClient', 'the Authorization header is not one of Basic')
}

/** Both are form-encoded before they are joined (RFC 6749 §2.3.1). */
function decode (text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
