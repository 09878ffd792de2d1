import { errors } from '../oauth/errors.js'

/** The credentials of the `Authorization` header. */
export interface Basic {
  readonly id: string
  /** `undefined` if empty: omitted, as by a public client (RFC 6749 §2.3.1). */
  readonly secret: string | undefined
}

/** Reads the header; `undefined` if there is none. @throws OAuthError `invalidClient` if it is not one of Basic (RFC 7617) */
export function readBasic (authorization: string | undefined): Basic | undefined {
  if (authorization === undefined) return undefined
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  try {
    if (id !== undefined && secret !== undefined) return { id: decode(id), secret: secret === '' ? undefined : decode(secret) }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  throw errors.invalidClient('the Authorization header is not Basic')
}

/** Both parts are form-encoded (RFC 6749 §2.3.1). */
function decode (text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
