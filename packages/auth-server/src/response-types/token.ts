import { FORM_TOKEN_TTL } from '../lifetimes.js'
import { issueTime } from '../grants/issue-time.js'
import type { KeyRing } from '../keys/key-ring.js'
import { mayUseImplicit } from '../oauth/implicit.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { Grants } from '../stores/grants.js'
import { timeId } from '@frontdesk/service-kit/time-id'
import { mintAccessToken } from '../tokens/access-token.js'
import { recordGrant } from './record-grant.js'
import type { ResponseType } from './response-type.js'

interface Parts {
  keys: KeyRing
  grants: Grants
  issuer: string
  accessTokenTtl: number
  /** Counts uses of the implicit grant by client. */
  implicitUses: { count: (clientId: string, now: Date) => void }
}

/** The implicit grant (RFC 6749 §4.2): the access token itself, in the fragment. */
export function token ({ keys, grants, issuer, accessTokenTtl, implicitUses }: Parts): ResponseType {
  return {
    name: 'token',
    responseModes: ['fragment'],
    needsChallenge: false,
    // Otherwise a link on any page could put a token into a URL without a click on Allow.
    isRepeatable: false,
    grantType: 'implicit',
    allows: mayUseImplicit,
    async issue ({ request: { client, scope, audience }, userId, authTime, nonce, epoch, isSilent }, now) {
      const ttl = client.accessTokenTtl ?? accessTokenTtl
      const jti = timeId(now)
      const recorded = await recordGrant(grants, {
        id: jti,
        nonceHash: hashOpaqueToken(nonce),
        clientId: client.id,
        userId,
        responseType: 'token',
        scope: scope.join(' '),
        audience,
        createdAt: now,
        expiresAt: new Date(now.getTime() + Math.max(ttl, FORM_TOKEN_TTL) * 1000),
        epoch,
        isSilent
      })
      if (recorded === null) return null
      // After the grant is recorded: the record tells from when on its tokens may be issued.
      const accessToken = mintAccessToken(keys, {
        issuer, subject: userId, audience, clientId: client.id, scope, authTime, grantType: 'implicit', jti
      }, issueTime(now, recorded.notBefore), ttl)
      implicitUses.count(client.id, now)
      return { access_token: accessToken, token_type: 'Bearer', expires_in: ttl, scope: scope.join(' ') }
    }
  }
}
