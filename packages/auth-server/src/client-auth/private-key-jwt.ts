import { createKeySet } from '@frontdesk/service-kit/key-set'
import { decodeJwt, errors, jwtVerify } from 'jose'
import type { Client } from '../oauth/client.js'
import { oauthError } from '../oauth/errors.js'
import { single, type Parameters } from '../oauth/parameters.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { ClientAuth, Presented } from './client-auth.js'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Algorithms of assertions: asymmetric only, since clients register public keys. */
export const ASSERTION_ALGS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

/** The algorithms of FAPI 2.0 (§5.4.1). */
const FAPI_ALGS = ['ES256', 'PS256', 'EdDSA', 'Ed25519']

/** Clock skew that is tolerated, in seconds. */
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
    if (single(form, 'client_assertion_type') !== TYPE) throw oauthError('invalidClient', 'client_assertion_type is not that of a JWT')
    return subjectOf(form)
  },
  async verify ({ stores, issuer }, { id, jwks, profile }, { form, endpoint }, now) {
    const { jti, exp, iat, aud } = await read(form, { id, jwks, audience: audiencesOf(issuer, endpoint), profile }, now)
    if (profile === 'fapi2' && (aud !== issuer || (iat ?? 0) > now.getTime() / 1000 + MAX_AHEAD_S)) {
      throw oauthError('invalidClient', 'the audience of client_assertion is not the issuer alone, or it is from the future', { client: id })
    }
    if (typeof jti !== 'string' || exp > now.getTime() / 1000 + MAX_LIFETIME_S) {
      throw oauthError('invalidClient', 'client_assertion is good for too long, or has no jti', { client: id })
    }
    return await stores.clientAssertions.add(hashOpaqueToken(`${id} ${jti}`), new Date((exp + CLOCK_SKEW_S) * 1000))
  }
}

/** Audiences that name this server: the issuer and the endpoint; for /par, the token endpoint too (RFC 9126 §2). */
function audiencesOf (issuer: string, endpoint: Presented['endpoint']): string[] {
  const endpoints = endpoint === '/par' ? ['/token', endpoint] : [endpoint]
  return [issuer, ...endpoints.map(path => `${issuer}${path}`)]
}

/**
 * Verifies an assertion and returns its claims.
 * @param expected `audience`: no other audience is accepted, since that server could replay the assertion here
 * @throws OAuthError `invalidClient`
 */
async function read (
  form: Parameters,
  { id, jwks, audience, profile }: Pick<Client, 'id' | 'jwks' | 'profile'> & { audience: string[] },
  now: Date
) {
  try {
    const keys = createKeySet(JSON.parse(jwks ?? '{"keys":[]}'))
    const { payload: { jti, exp = Infinity, iat, aud } } = await jwtVerify(single(form, 'client_assertion') ?? '', keys, {
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
      throw oauthError('invalidClient', 'client_assertion has an audience besides the issuer and the endpoint', { client: id })
    }
    return { jti, exp, iat, aud }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw oauthError('invalidClient', `client_assertion: ${error.code}`, { client: id })
    throw error
  }
}

/** The `sub` of an assertion, not verified yet. @throws OAuthError `invalidClient` */
function subjectOf (form: Parameters): string {
  try {
    const { sub } = decodeJwt(single(form, 'client_assertion') ?? '')
    if (typeof sub === 'string') return sub
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
  }
  throw oauthError('invalidClient', 'client_assertion is not a JWT with a sub')
}
