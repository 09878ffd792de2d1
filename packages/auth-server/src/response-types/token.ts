import { TRANSACTION_TTL } from '../config/lifetimes.js'
import type { KeyRing } from '../keys/key-ring.js'
import { oauthError } from '../oauth/errors.js'
import { mayUseImplicit } from '../oauth/implicit.js'
import { hashOpaque } from '../sign-in/opaque.js'
import type { Grants } from '../stores/grants.js'
import { timeId } from '../stores/time-id.js'
import { mintAccessToken } from '../tokens/access-token.js'
import type { ResponseType } from './response-type.js'

interface Parts {
  keys: KeyRing
  grants: Grants
  issuer: string
  accessTokenTtl: number
  /** Counts who still uses it. */
  implicitUses: { count: (clientId: string, now: Date) => void }
}

/** The implicit grant (RFC 6749 §4.2): the access token itself, in the fragment. */
export function token ({ keys, grants, issuer, accessTokenTtl, implicitUses }: Parts): ResponseType {
  return {
    name: 'token',
    responseModes: ['fragment'],
    needsChallenge: false,
    // Any link on any page could put a token into an address, without a press of Allow.
    isRepeatable: false,
    grantType: 'implicit',
    allows: mayUseImplicit,
    async issue ({ request: { client, scope, audience }, userId, authTime, nonce }, now) {
      const ttl = client.accessTokenTtl ?? accessTokenTtl
      const jti = timeId(now)
      const accessToken = mintAccessToken(keys, {
        issuer, subject: userId, audience, clientId: client.id, scope, authTime, grantType: 'implicit', jti
      }, now, ttl)
      // Signed before and given out after: a grant is never recorded without its token, nor given twice.
      const first = await grants.add({
        id: jti,
        nonceHash: hashOpaque(nonce),
        clientId: client.id,
        userId,
        responseType: 'token',
        scope: scope.join(' '),
        audience,
        createdAt: now,
        expiresAt: new Date(now.getTime() + Math.max(ttl, TRANSACTION_TTL) * 1000)
      })
      if (!first) throw oauthError('spentForm', 'the nonce is spent')
      implicitUses.count(client.id, now)
      return { access_token: accessToken, token_type: 'Bearer', expires_in: ttl, scope: scope.join(' ') }
    }
  }
}
