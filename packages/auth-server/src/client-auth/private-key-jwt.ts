import { createLocalJWKSet, decodeJwt, errors, jwtVerify } from 'jose'
import { oauthError } from '../oauth/errors.js'
import { single, type Parameters } from '../oauth/parameters.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { ClientAuth } from './client-auth.js'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Algorithms of assertions: asymmetric ones, since only public keys are registered. */
export const ASSERTION_ALGS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA']

/** How far clocks may differ, in seconds. */
const TOLERANCE = 30
/** How long an assertion may be good for, in seconds: it is remembered until then. */
const LONGEST = 3600

/** A JWT that the client has signed with its own key (RFC 7523 §2.2, §3): no secret leaves it. Each counts once. */
export const privateKeyJwt: ClientAuth = {
  name: 'private_key_jwt',
  proof: 'key',
  claims ({ form }) {
    if (!('client_assertion' in form)) return undefined
    if (single(form, 'client_assertion_type') !== TYPE) throw oauthError('invalidClient', 'client_assertion_type is not that of a JWT')
    return subjectOf(form)
  },
  async verify ({ stores, issuer }, { id, jwks }, { form, endpoint }, now) {
    const { jti, exp } = await read(form, { id, jwks, audience: [issuer, `${issuer}${endpoint}`] }, now)
    if (typeof jti !== 'string' || exp > now.getTime() / 1000 + LONGEST) throw oauthError('invalidClient', 'client_assertion is good for too long, or has no jti', { client: id })
    return await stores.clientAssertions.add(hashOpaqueToken(`${id} ${jti}`), new Date((exp + TOLERANCE) * 1000))
  }
}

/**
 * The claims of a good assertion.
 * @param expected `audience`: each of its audiences is one of these; another server could use the assertion here
 * @throws OAuthError `invalidClient`
 */
async function read (form: Parameters, { id, jwks, audience }: { id: string, jwks: string | null, audience: string[] }, now: Date) {
  try {
    const { payload: { jti, exp = Infinity, aud } } = await jwtVerify(single(form, 'client_assertion') ?? '', createLocalJWKSet(JSON.parse(jwks ?? '{"keys":[]}')), {
      issuer: id,
      subject: id,
      audience,
      algorithms: ASSERTION_ALGS,
      requiredClaims: ['exp', 'jti'],
      clockTolerance: TOLERANCE,
      currentDate: now
    })
    // jose is content if one of them is right.
    if (![aud].flat().every(it => audience.includes(it ?? ''))) throw oauthError('invalidClient', 'client_assertion has an audience besides the issuer and the endpoint', { client: id })
    return { jti, exp }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw oauthError('invalidClient', `client_assertion: ${error.code}`, { client: id })
    throw error
  }
}

/** Whom an assertion speaks of; nothing is verified yet. @throws OAuthError `invalidClient` */
function subjectOf (form: Parameters): string {
  try {
    const { sub } = decodeJwt(single(form, 'client_assertion') ?? '')
    if (typeof sub === 'string') return sub
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
  }
  throw oauthError('invalidClient', 'client_assertion is not a JWT with a sub')
}
