import { createKeySet } from '@frontdesk/service-kit/key-set'
import { decodeJwt, errors as joseErrors, jwtVerify } from 'jose'
import type { Client } from '../oauth/client.js'
import { errors, OAuthError } from '../oauth/errors.js'
import { single, type Parameters } from '../oauth/parameters.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { ClientAuth, FindKey, Presented } from './client-auth.js'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Algorithms of assertions: asymmetric only, since clients register public keys. */
export const ASSERTION_ALGS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

/** The algorithms of FAPI 2.0 (§5.4.1). */
const FAPI_ALGS = ['ES256', 'PS256', 'EdDSA', 'Ed25519']

/** Tolerated clock skew, in seconds. */
const CLOCK_SKEW_S = 30
/** Longest lifetime of an assertion, in seconds: it is stored until it expires. */
const MAX_LIFETIME_S = 3600

/** Latest `iat` that FAPI 2.0 allows (§5.3.2.1), in seconds from now. */
const MAX_AHEAD_S = 60

/** A JWT signed with the client's private key (RFC 7523 §2.2, §3). Each is accepted once. */
export const privateKeyJwt: ClientAuth = {
  name: 'private_key_jwt',
  proof: 'key',
  claims ({ form }) {
    if (!('client_assertion' in form)) return undefined
    if (single(form, 'client_assertion_type') !== TYPE) throw errors.invalidClient('client_assertion_type is not jwt-bearer')
    return readSubject(form)
  },
  async verify ({ stores, issuer, fetchedKeys, documentRefresh }, client, { form, address, endpoint }, now) {
    const { id, profile } = client
    const check = async (find: FindKey) => await read(form, { id, find, audience: acceptedAudiences(issuer, endpoint), profile }, now)
    const keys = async ({ jwks, jwksUri, registeredBy }: Client, isRefused: boolean) =>
      jwksUri === null ? createKeySet(JSON.parse(jwks ?? '{"keys":[]}')) : await fetchedKeys.at({ jwksUri, registeredBy }, address, now, isRefused)
    const { jti, exp, iat, aud } = await check(await keys(client, false)).catch(async error => {
      // The client may have replaced its keys since they were fetched.
      const isPublished = client.jwksUri !== null || client.registeredBy === 'document'
      if (!isPublished || !(error instanceof OAuthError) || !isKeyMismatch(error.cause)) throw error
      return await check(await keys(await documentRefresh.current(client, address, now, true), true))
    })
    if (profile === 'fapi2' && (aud !== issuer || (iat ?? 0) > now.getTime() / 1000 + MAX_AHEAD_S)) {
      throw errors.invalidClient('client_assertion has an audience other than the issuer, or was issued in the future', { client: id })
    }
    if (typeof jti !== 'string' || exp > now.getTime() / 1000 + MAX_LIFETIME_S) {
      throw errors.invalidClient('client_assertion is valid for too long, or has no jti', { client: id })
    }
    return await stores.spentIds.add(hashOpaqueToken(`${id} ${jti}`), new Date((exp + CLOCK_SKEW_S) * 1000))
  }
}

/** Audiences that name this server: the issuer and the endpoint; for `/par`, also the token endpoint (RFC 9126 §2). */
function acceptedAudiences (issuer: string, endpoint: Presented['endpoint']): string[] {
  const endpoints = endpoint === '/par' ? ['/token', endpoint] : [endpoint]
  return [issuer, ...endpoints.map(path => `${issuer}${path}`)]
}

/**
 * Verifies an assertion and returns its claims.
 * @param expected `audience`: every audience must be one of these, since another server could replay the assertion here
 * @throws OAuthError `invalidClient`
 */
async function read (
  form: Parameters,
  { id, find, audience, profile }: Pick<Client, 'id' | 'profile'> & { find: FindKey, audience: string[] },
  now: Date
) {
  try {
    const { payload: { jti, exp = Infinity, iat, aud } } = await jwtVerify(single(form, 'client_assertion') ?? '', find, {
      issuer: id,
      subject: id,
      audience,
      algorithms: profile === 'fapi2' ? FAPI_ALGS : ASSERTION_ALGS,
      requiredClaims: ['exp', 'jti'],
      clockTolerance: CLOCK_SKEW_S,
      currentDate: now
    })
    // jose accepts a list if one audience matches.
    if (![aud].flat().every(it => audience.includes(it ?? ''))) {
      throw errors.invalidClient('client_assertion has an audience other than the issuer and the endpoint', { client: id })
    }
    return { jti, exp, iat, aud }
  } catch (error) {
    if (error instanceof OAuthError) throw error
    // If a registered key is unusable, WebCrypto throws errors of many classes.
    const reason = error instanceof joseErrors.JOSEError ? error.code : 'the registered key cannot be used'
    throw Object.assign(errors.invalidClient(`client_assertion: ${reason}`, { client: id }), { cause: error })
  }
}

/** Whether another key could verify the assertion. */
function isKeyMismatch (cause: unknown): boolean {
  return cause instanceof joseErrors.JWKSNoMatchingKey || cause instanceof joseErrors.JWSSignatureVerificationFailed
}

/** The unverified `sub` of an assertion. @throws OAuthError `invalidClient` */
function readSubject (form: Parameters): string {
  try {
    const { sub } = decodeJwt(single(form, 'client_assertion') ?? '')
    if (typeof sub === 'string') return sub
  } catch (error) {
    if (!(error instanceof joseErrors.JOSEError)) throw error
  }
  throw errors.invalidClient('client_assertion is not a JWT with a sub')
}
