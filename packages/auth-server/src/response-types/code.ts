import { after, CODE_TTL, FORM_TOKEN_TTL } from '../lifetimes.js'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { AuthorizationCodes } from '../stores/grants/authorization-codes.js'
import type { Grants } from '../stores/grants/grants.js'
import { timeId } from '@frontdesk/service-kit/time-id'
import { recordGrant } from './record-grant.js'
import type { ResponseType } from './response-type.js'

/** The authorization code grant (RFC 6749 §4.1) with PKCE (RFC 7636): issues a code, which the client exchanges for tokens. */
export function code ({ codes, grants }: { codes: AuthorizationCodes, grants: Grants }): ResponseType {
  return {
    name: 'code',
    responseModes: ['query', 'fragment', 'form_post'],
    needsChallenge: true,
    gives: { idToken: 'on request', accessToken: true, refreshToken: true },
    isRepeatable: true,
    grantType: 'authorization_code',
    allows: client => client.grantTypes.includes('authorization_code'),
    async issue ({ request, userId, authentication: { authTime, amr }, nonce, epoch, isSilent, sid }, now) {
      const { client, scope, audience, redirectUri, callbackNamed, codeChallenge, dpopJkt, idTokenNonce } = request
      const code = randomOpaqueToken()
      const granted = { clientId: client.id, userId, scope: scope.join(' '), audience, createdAt: now }
      const grantId = timeId(now)
      // Written concurrently, in one commit: a code without a grant is not live, and a grant without its code soon expires.
      const added = codes.add({
        ...granted,
        hash: hashOpaqueToken(code),
        grantId,
        redirectUri,
        callbackNamed,
        // as: `needsChallenge`.
        codeChallenge: codeChallenge as string,
        dpopJkt,
        authTime,
        amr,
        nonce: idTokenNonce,
        sid,
        expiresAt: after(now, CODE_TTL)
      })
      const recorded = recordGrant(grants, {
        ...granted,
        id: grantId,
        nonceHash: hashOpaqueToken(nonce),
        responseType: 'code',
        expiresAt: after(now, FORM_TOKEN_TTL),
        epoch,
        isSilent
      })
      const [grant] = await Promise.all([recorded, added])
      return grant === null ? null : { code }
    }
  }
}
