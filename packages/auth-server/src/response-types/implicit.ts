import { timeId } from '@frontdesk/service-kit/time-id'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import type { KeyRing } from '../keys/key-ring.js'
import { after, FORM_TOKEN_TTL } from '../lifetimes.js'
import { mayUseImplicit } from '../oauth/implicit.js'
import { grantableScope, scopeOf } from '../oauth/scope.js'
import { subjectOf } from '../oauth/subject.js'
import type { RolesClaim } from '../settings/roles.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { Grants } from '../stores/grants/grants.js'
import type { Profiles } from '../stores/users/profiles.js'
import { mintAccessToken } from '../tokens/access-token.js'
import { accessTokenScope, idTokenScope, userClaims } from '../tokens/claims.js'
import { mintIdToken } from '../tokens/id-token.js'
import { issueTime, latestEnd } from '../tokens/issue.js'
import { recordGrant } from './record-grant.js'
import type { ResponseType } from './response-type.js'

export interface ImplicitParts {
  keys: KeyRing
  idTokens: IdTokenSigner
  grants: Grants
  profiles: Pick<Profiles, 'find'>
  issuer: string
  accessTokenTtl: number
  rolesClaim: RolesClaim
  implicitUses: { count: (clientId: string, now: Date) => void }
}

interface Implicit extends Pick<ResponseType, 'name' | 'responseModes'> {
  readonly givesAccessToken: boolean
  readonly givesIdToken: boolean
}

/** The implicit grant (RFC 6749 §4.2, OpenID Connect Core §3.2): sends the tokens themselves to the callback. */
export function implicit (
  { name, responseModes, givesAccessToken, givesIdToken }: Implicit,
  { keys, idTokens, grants, profiles, issuer, accessTokenTtl, rolesClaim, implicitUses }: ImplicitParts
): ResponseType {
  return {
    name,
    responseModes,
    needsChallenge: false,
    gives: { idToken: givesIdToken ? 'always' : 'never', accessToken: givesAccessToken, refreshToken: false },
    // Otherwise, a link on any page could put a token into a URL without a click on Allow.
    isRepeatable: false,
    grantType: 'implicit',
    // Authorization requests have no DPoP proof.
    allows: (client, now) => !(givesAccessToken && client.dpopBoundAccessTokens) && mayUseImplicit(client, now),
    async issue ({ request, userId, authentication, nonce, epoch, isSilent, sid }, now) {
      const { client, scope: requested, audience, idTokenNonce } = request
      const ttl = client.accessTokenTtl ?? accessTokenTtl
      const jti = timeId(now)
      // Before the form is spent. Without an access token, the ID token has the claims of all scopes (OpenID Connect Core §5.4).
      if (givesIdToken) await idTokens.ready(client.idTokenSignedResponseAlg)
      const before = givesAccessToken ? null : await profiles.find(userId)
      const recorded = await recordGrant(grants, {
        id: jti,
        nonceHash: hashOpaqueToken(nonce),
        clientId: client.id,
        userId,
        responseType: name,
        scope: requested.join(' '),
        audience,
        createdAt: now,
        expiresAt: after(now, Math.max(ttl, FORM_TOKEN_TTL)),
        epoch,
        isSilent,
        ...(givesAccessToken ? { tokensEndAt: latestEnd(now, ttl) } : {})
      })
      if (recorded === null) return null
      const subject = subjectOf(client, userId)
      const scope = grantableScope(requested, recorded.withheld)
      implicitUses.count(client.id, now)
      const inIdToken = givesAccessToken ? idTokenScope(scope, false) : scope
      const inAccessToken = accessTokenScope(scope)
      // After the grant is recorded: if the user loses a role later, this token is revoked.
      const isNeeded = givesAccessToken && (givesIdToken ? inIdToken : inAccessToken).length > 0
      const profile = isNeeded ? await profiles.find(userId) : before
      const claimsOf = (some: readonly string[]) => profile === null ? {} : userClaims(profile, some, 'id_token', rolesClaim)
      const claims = claimsOf(inAccessToken)
      const access = { issuer, subject, audience, clientId: client.id, scope, authentication, grantType: 'implicit', jti, claims }
      const accessToken = givesAccessToken ? mintAccessToken(keys, access, issueTime(now, recorded.notBefore), ttl) : undefined
      const response = accessToken === undefined
        ? {}
        : { access_token: accessToken, token_type: 'Bearer', expires_in: ttl, ...scopeOf(scope) }
      if (!givesIdToken) return response
      const content = { issuer, subject, client, authentication, nonce: idTokenNonce, sid, accessToken }
      return { ...response, id_token: await mintIdToken(idTokens, { ...content, claims: claimsOf(inIdToken) }, now, ttl) }
    }
  }
}
