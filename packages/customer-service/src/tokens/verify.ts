import { ACCESS_TOKEN_TYPE, AccessToken } from '@frontdesk/schemas/access-token'
import { TokenCache } from '@frontdesk/service-kit/access-token/token-cache'
import { CLOCK_LEEWAY_S } from '@frontdesk/service-kit/clock-leeway'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { jwtVerify } from 'jose'
import type { Auth } from '../config.js'
import type { Keys } from '../keys/keys.js'
import { tokenInvalid } from '../problems/access.js'
import { ProblemError } from '../problems/define.js'
import type { Revocations } from '../revocations/revocations.js'
import type { Fingerprints } from '../revocations/revoked.js'
import { tokenChecked } from '../telemetry/events.js'

const accessToken = TypeCompiler.Compile(AccessToken)

/** A verified token, and the fingerprints of what can revoke it. */
interface VerifiedToken { readonly claims: AccessToken, readonly fingerprints: Fingerprints }

const NONE = new Uint32Array()

/** Verifies an access token and returns its claims, synchronously if they are cached: a promise takes longer than the lookup. */
export type Verify = (token: string) => AccessToken | Promise<AccessToken>

/**
 * Creates a verifier of access tokens (RFC 9068 §4, RFC 8725 §3), which throws ProblemError. All criteria come from the
 * settings and the key set; the token only names its `kid`.
 * @param revocations `null`: no revocation feed
 * @param now milliseconds since 1970
 */
export function createVerifier (
  { issuer, audience, algorithms }: Pick<Auth, 'issuer' | 'audience' | 'algorithms'>,
  keys: Keys,
  revocations: Pick<Revocations, 'check' | 'fingerprints'> | null,
  now = Date.now
): Verify {
  let cache = new TokenCache<VerifiedToken>()
  keys.onChange(() => { cache = new TokenCache() })

  return token => {
    // If the keys change meanwhile, the result goes to the old cache, which is discarded.
    const current = cache
    const known = current.get(token)
    if (known !== undefined) {
      if (known.claims.exp + CLOCK_LEEWAY_S > now() / 1000) {
        tokenChecked.publish({ outcome: 'remembered' })
        revocations?.check(known.claims, known.fingerprints)
        return known.claims
      }
      current.delete(token)
    }
    return checkSignature(token).then(claims => {
      const fingerprints = revocations?.fingerprints(claims) ?? NONE
      current.set(token, { claims, fingerprints })
      revocations?.check(claims, fingerprints)
      return claims
    })
  }

  async function checkSignature (token: string) {
    try {
      const { payload } = await jwtVerify(token, keys.find, {
        issuer, audience, algorithms, typ: ACCESS_TOKEN_TYPE, clockTolerance: CLOCK_LEEWAY_S, currentDate: new Date(now())
      })
      // A token without scope is valid and allows nothing.
      const claims = { scope: '', ...payload }
      if (!accessToken.Check(claims)) throw new Error('a claim is missing or of the wrong type')
      if (claims.iat > now() / 1000 + CLOCK_LEEWAY_S) throw new Error('iat is in the future')
      if (token.split('.', 2).some(part => hasDuplicates(Buffer.from(part, 'base64url').toString()))) throw new Error('a claim is repeated')
      tokenChecked.publish({ outcome: 'accepted' })
      return claims
    } catch (error) {
      tokenChecked.publish({ outcome: error instanceof ProblemError ? 'unavailable' : 'refused' })
      if (error instanceof ProblemError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw tokenInvalid('The access token is malformed, expired, or for another service. Sign in again.', { reason, cause: error })
    }
  }
}

/**
 * Whether an object in a JSON text repeats a member: two parsers could see different claims (RFC 7519 §4, RFC 8725 §2.4).
 * @param json valid: exactly the strings before a colon are names
 */
export function hasDuplicates (json: string): boolean {
  const written = [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length
  return written !== countMembers(JSON.parse(json))
}

function countMembers (value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value).reduce((sum: number, member) => sum + countMembers(member), 0)
  return Array.isArray(value) ? inside : inside + Object.keys(value).length
}
