import { errors as jose, jwtVerify, SignJWT, type JWTVerifyOptions, type JWTVerifyResult } from 'jose'
import { oauthError } from '../oauth/errors.js'
import { hashOpaque, randomOpaque } from '../sign-in/opaque.js'

/** How long a consent page can be used, in seconds. */
export const TRANSACTION_TTL = 30 * 60

const TYPE = 'consent+jwt'

/** What authenticates the hidden field: the first key makes them, every one is good for checking. */
export type FormKeys = readonly [Uint8Array, ...Uint8Array[]]

/** What a consent page is bound to. */
export interface Binding {
  /** The browser's transaction cookie. */
  readonly browser: string
  /** The query string of the authorization request, byte for byte. */
  readonly query: string
}

/** A consent page that came back. */
export interface Transaction {
  /** Spent by the first grant. */
  readonly nonce: string
  /** Who the page was shown to; `undefined` if nobody was signed in. */
  readonly userId: string | undefined
}

/** The hidden field of a consent page: authenticated, ends, bound to the browser and the request. */
export async function issueTransaction ([key]: FormKeys, binding: Binding, userId: string | undefined, now: Date): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000)
  return await new SignJWT({ jti: randomOpaque(), bind: digest(binding), ...(userId === undefined ? {} : { sub: userId }) })
    .setProtectedHeader({ alg: 'HS256', typ: TYPE })
    .setIssuedAt(iat)
    .setExpirationTime(iat + TRANSACTION_TTL)
    .sign(key)
}

/**
 * Checks the hidden field that came back, made with any of the keys.
 * @throws OAuthError `foreignForm` or `expiredForm`
 */
export async function verifyTransaction (keys: FormKeys, field: string, binding: Binding, now: Date): Promise<Transaction> {
  try {
    const { payload } = await verifyWithAny(keys, field, { algorithms: ['HS256'], typ: TYPE, currentDate: now, requiredClaims: ['jti', 'exp'] })
    if (payload.bind !== digest(binding) || payload.jti === undefined) throw oauthError('foreignForm', 'made for another browser or request')
    return { nonce: payload.jti, userId: payload.sub }
  } catch (error) {
    if (error instanceof jose.JWTExpired) throw oauthError('expiredForm', 'the consent page has ended')
    if (error instanceof jose.JOSEError) throw oauthError('foreignForm', `not made here: ${error.code}`)
    throw error
  }
}

async function verifyWithAny ([key, ...others]: FormKeys, field: string, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(field, key, options)
  } catch (error) {
    const [next, ...rest] = others
    if (next === undefined || !(error instanceof jose.JWSSignatureVerificationFailed)) throw error
    return await verifyWithAny([next, ...rest], field, options)
  }
}

function digest ({ browser, query }: Binding): string {
  return hashOpaque(`${browser} ${query}`)
}
