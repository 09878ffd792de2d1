import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import { provesIdentity } from '../oauth/identity.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { Consents } from '../stores/grants/consents.js'

/** Most scopes of a request, and most characters of a scope, that are remembered: rows and keys need a bound. */
const MOST = { scopes: 50, characters: 100 }

/** Remembered consent, for clients that prove their identity: people are asked only for new scopes. */
export interface RememberedConsent {
  /** Scopes of the request that the person has allowed before; none, without a query, if consent may not be remembered. */
  allowed (request: AuthorizationRequest, userId: string): Promise<string[]>
  /** Remembers the consent, if it may be remembered and the grant with that nonce is still live. */
  keep (request: AuthorizationRequest, given: { userId: string, nonce: string }, now: Date): Promise<void>
}

/**
 * @param responseTypes those with `isRepeatable` may be issued again without asking
 * @param trustsLoopback whether programs on loopback are the developer's own
 */
export function createRememberedConsent (
  consents: Consents,
  responseTypes: ReadonlyArray<{ name: string, isRepeatable: boolean }>,
  trustsLoopback = false
): RememberedConsent {
  const repeatable = responseTypes.filter(({ isRepeatable }) => isRepeatable).map(({ name }) => name)
  const mayKeep = ({ responseType, client, redirectUri, scope }: AuthorizationRequest) =>
    repeatable.includes(
      responseType
    ) && scope.length > 0 && scope.length <= MOST.scopes && scope.every(({ length }) => length <= MOST.characters) && provesIdentity(
      client,
      redirectUri,
      trustsLoopback
    )
  return {
    async allowed (request, userId) {
      if (!mayKeep(request)) return []
      const before = await consents.find({ userId, clientId: request.client.id, audience: request.audience })
      return request.scope.filter(it => before.includes(it))
    },
    async keep (request, { userId, nonce }, now) {
      if (!mayKeep(request)) return
      const { client: { id: clientId }, audience, scope } = request
      await consents.add({ userId, clientId, audience, scope, allowedAt: now, nonceHash: hashOpaqueToken(nonce) })
    }
  }
}

/** Whether every scope of the request was allowed before; `false` for a request without scopes. */
export function isAllowed ({ scope }: AuthorizationRequest, allowed: readonly string[]): boolean {
  return scope.length > 0 && scope.every(it => allowed.includes(it))
}
