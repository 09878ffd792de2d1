import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import { provesIdentity } from '../oauth/identity.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { Consents } from '../stores/consents.js'

/** Scopes of one request, and characters of the longest, beyond which nothing is remembered: rows and keys have an end. */
const MOST = { scopes: 50, characters: 100 }

/** What people have allowed clients that prove who they are, so that they are asked for what is new alone. */
export interface RememberedConsent {
  /** Scopes of the request that the person has allowed before; none, without a statement, if nothing may be remembered. */
  allowed (request: AuthorizationRequest, userId: string): Promise<string[]>
  /** Remembers that the person allows the request, if it may be remembered and what was given for that nonce was not taken back meanwhile. */
  keep (request: AuthorizationRequest, given: { userId: string, nonce: string }, now: Date): Promise<void>
}

/** @param responseTypes whose answers may be given again without asking */
export function createRememberedConsent (consents: Consents, responseTypes: ReadonlyArray<{ name: string, isRepeatable: boolean }>): RememberedConsent {
  const repeatable = responseTypes.filter(({ isRepeatable }) => isRepeatable).map(({ name }) => name)
  const mayKeep = ({ responseType, client, redirectUri, scope }: AuthorizationRequest) =>
    repeatable.includes(responseType) && scope.length > 0 && scope.length <= MOST.scopes && scope.every(({ length }) => length <= MOST.characters) && provesIdentity(client, redirectUri)
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

/** Whether all that the request asks for was allowed before. Where it asks for no scope, nothing was. */
export function isAllowed ({ scope }: AuthorizationRequest, allowed: readonly string[]): boolean {
  return scope.length > 0 && scope.every(it => allowed.includes(it))
}
