import { isAdminScope } from '../oauth/admin-scopes.js'
import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import { asksForConsent, isSelfRegistered, provesIdentity } from '../oauth/identity.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { Consents } from '../stores/grants/consents.js'
import type { Stores } from '../stores/stores.js'

/** Maximum scopes of a request, and characters of a scope: rows and keys need a limit. */
const MAX_REMEMBERED = { scopes: 50, characters: 100 }

/**
 * Remembered consent, for clients that prove their identity: users are asked only for new scopes, and always for those of the
 * administration API.
 */
export interface RememberedConsent {
  /** Whether a request of an app of the installation needs no page: if consent could be remembered for it. */
  isUnneeded (request: AuthorizationRequest): boolean
  /** Scopes of the request that the user has allowed before; none, without a query, if consent is not remembered for it. */
  allowed (request: AuthorizationRequest, userId: string): Promise<string[]>
  /**
   * Scopes of the request that a self-registered client has now, if it requests others, too. Its consent is not remembered, but the
   * page shows what is new.
   */
  granted (request: AuthorizationRequest, userId: string): Promise<string[]>
  /** Remembers consent, if the request permits it and the grant with this nonce is still live. */
  remember (request: AuthorizationRequest, given: { userId: string, nonce: string }, now: Date): Promise<void>
}

/** @param trustsLoopback whether programs on loopback are the developer's own */
export function createRememberedConsent (
  { consents, authorizedApps }: { consents: Consents, authorizedApps: Pick<Stores['authorizedApps'], 'scope'> },
  responseTypes: ReadonlyArray<{ name: string, isRepeatable: boolean }>,
  trustsLoopback = false
): RememberedConsent {
  const repeatable = responseTypes.filter(({ isRepeatable }) => isRepeatable).map(({ name }) => name)
  const isRememberable = ({ responseType, client, redirectUri, scope }: AuthorizationRequest) => repeatable.includes(responseType) &&
    // The access of administrators ends with its token: an app must not get the next one without asking.
    !scope.some(isAdminScope) &&
    scope.length > 0 && scope.length <= MAX_REMEMBERED.scopes && scope.every(({ length }) => length <= MAX_REMEMBERED.characters) &&
    provesIdentity(client, redirectUri, trustsLoopback)
  const asks = ({ client, redirectUri }: AuthorizationRequest) => asksForConsent(client, redirectUri)
  return {
    isUnneeded: request => !asks(request) && isRememberable(request),
    async allowed (request, userId) {
      if (!asks(request) || !isRememberable(request)) return []
      const before = await consents.find({ userId, clientId: request.client.id, audience: request.audience })
      return request.scope.filter(it => before.includes(it))
    },
    async granted ({ client, audience, scope }, userId) {
      if (!isSelfRegistered(client)) return []
      const before = await authorizedApps.scope({ userId, clientId: client.id, audience })
      return scope.every(it => before.includes(it)) ? [] : scope.filter(it => before.includes(it))
    },
    async remember (request, { userId, nonce }, now) {
      if (!asks(request) || !isRememberable(request)) return
      const { client: { id: clientId }, audience, scope } = request
      await consents.add({ userId, clientId, audience, scope, allowedAt: now, nonceHash: hashOpaqueToken(nonce) })
    }
  }
}

/** Whether every scope of the request was allowed before; `false` for a request without scopes. */
export function isAllowed ({ scope }: AuthorizationRequest, allowed: readonly string[]): boolean {
  return scope.length > 0 && scope.every(it => allowed.includes(it))
}
