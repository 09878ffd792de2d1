import { ACCESS_TOKEN_TYPE, AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroups } from '@frontdesk/schemas/revocations'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { jwtVerify } from 'jose'
import type { Auth } from '../config.js'
import { CLOCK_LEEWAY_S } from '../lifetimes.js'
import type { Keys } from '../keys/keys.js'
import { tokenInvalid } from '../problems/access.js'
import { ProblemError } from '../problems/define.js'
import type { Revocations } from '../revocations/revocations.js'
import { tokenChecked } from '../telemetry/events.js'
import { hasDuplicates } from './duplicates.js'
import { TokenCache } from './token-cache.js'

const accessToken = TypeCompiler.Compile(AccessToken)

/** Verifies an access token and gives its claims: at once if it was verified before, for a promise costs more than that. */
export type Verify = (token: string) => AccessToken | Promise<AccessToken>

/**
 * Makes the verifier of access tokens: RFC 9068 §4, RFC 8725 §3. Key, algorithm and everything else that decides
 * comes from the settings and the key set; the token only names its `kid`.
 * @param revocations what is known of revoked access; `null` where nobody tells
 * @param now milliseconds since 1970
 */
export function createVerifier ({ issuer, audience, algorithms }: Pick<Auth, 'issuer' | 'audience' | 'algorithms'>, keys: Keys, revocations: Pick<Revocations, 'check'> | null, now = Date.now): Verify {
  let memory = new TokenCache()
  keys.onChange(() => { memory = new TokenCache() })

  return token => {
    // What an old key verifies is kept in the old memory, even if the keys change meanwhile.
    const current = memory
    const known = current.recall(token)
    if (known !== undefined) {
      if (known.claims.exp + CLOCK_LEEWAY_S > now() / 1000) {
        tokenChecked.publish({ outcome: 'remembered' })
        revocations?.check(known.claims, known.groups)
        return known.claims
      }
      current.forget(token)
    }
    return checkSignature(token).then(claims => {
      const groups = revocations === null ? [] : revocationGroups(claims)
      current.keep(token, { claims, groups })
      revocations?.check(claims, groups)
      return claims
    })
  }

  async function checkSignature (token: string) {
    try {
      const { payload } = await jwtVerify(token, keys.find, {
        issuer, audience, algorithms, typ: ACCESS_TOKEN_TYPE, clockTolerance: CLOCK_LEEWAY_S, currentDate: new Date(now())
      })
      // A token without scope is a good token that allows nothing.
      const claims = { scope: '', ...payload }
      if (!accessToken.Check(claims)) throw new Error('a claim is missing or of the wrong type')
      if (claims.iat > now() / 1000 + CLOCK_LEEWAY_S) throw new Error('iat is in the future')
      if (token.split('.', 2).some(part => hasDuplicates(Buffer.from(part, 'base64url').toString()))) throw new Error('a claim is there twice')
      tokenChecked.publish({ outcome: 'accepted' })
      return claims
    } catch (error) {
      tokenChecked.publish({ outcome: error instanceof ProblemError ? 'unavailable' : 'refused' })
      if (error instanceof ProblemError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw tokenInvalid('The access token is malformed, has ended, or is not for this service. Sign in again.', { reason, cause: error })
    }
  }
}
