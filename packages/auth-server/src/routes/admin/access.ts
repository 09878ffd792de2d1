import { pathOf } from '@frontdesk/service-kit/path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Acr } from '@frontdesk/schemas/acr'
import type { Actor } from '../../admin/actor.js'
import { findRights, isSensitiveFor, rightsOf, whyNotPermitted, type Right } from '../../admin/rights.js'
import { allowsSensitive, requiredSignIn } from '../../admin/sensitive-sign-in.js'
import { findUserId, type Inspect } from '../../grants/inspect.js'
import { canAdminister } from '../../oauth/admin-scopes.js'
import type { Client } from '../../oauth/client.js'
import { parseScope } from '../../oauth/scope.js'
import { sourceOf } from '../../sign-in/source.js'
import type { Stores } from '../../stores/stores.js'
import type { Proofs } from '../../tokens/proofs.js'
import { AccessError, createReadAccess, type Access } from '../resource-access.js'
import { AdminError } from './errors.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the caller of an administration route needs. */
    right?: Right
    /** Whether the action is sensitive, see {@link allowsSensitive}; a right: only for users who have it. */
    isSensitive?: boolean | Right
  }
  interface FastifyRequest {
    /** The caller of the administration API; set before the handlers of its scope run. */
    caller: Caller
  }
}

/** The caller and their rights. */
interface Caller { readonly by: Actor, readonly rights: ReadonlySet<Right> }

const CLIENT_CREDENTIALS = 'client_credentials'

/** Requests that a caller of the API, or a user of the console, can send in a minute. */
export const REQUESTS_PER_CALLER = { name: 'admin', points: 600, duration: 60 }

interface Options {
  /** Public address of the API's server. */
  readonly adminUrl: string
  /** Minimum `acr` for sensitive actions. */
  readonly adminAcr: Acr | undefined
  readonly audience: string
  readonly stores: Stores
  readonly inspect: Inspect
  readonly proofs: Proofs
}

/**
 * Authenticates the caller of every route in its scope. A token is not enough: each request reads the token's client and the user's
 * roles from the database.
 */
export default fp<Options>(async function adminAccess (fastify, { adminUrl, adminAcr, audience, stores, inspect, proofs }) {
  const { origin } = new URL(adminUrl)
  const readAccess = createReadAccess({ inspect, proofs, audience, url: ({ url }) => `${origin}${pathOf(url)}` })
  const throttle = stores.throttles.under(REQUESTS_PER_CALLER)

  fastify.addHook('onRoute', ({ config, url }) => {
    if (config?.right === undefined) throw new Error(`The route ${url} names no right.`)
  })
  // as: set before a handler can read it.
  fastify.decorateRequest('caller', null as unknown as Caller)

  fastify.addHook('onRequest', async (request, reply) => {
    const { config: { right = 'manage', isSensitive = false } } = request.routeOptions
    const access = await readAccess(reply)
    const scope = right === 'read' ? 'admin:read' : 'admin:write'
    // Before any query: every user can have a token without these scopes.
    assertScope(access, scope, parseScope(access.access.scope))
    const { client, ...caller } = await findCaller(access, request)
    await assertNotTooMany(access, reply)
    // An operator may have narrowed the client's scopes since the token was issued.
    assertScope(access, scope, client.allowedScope?.split(' ') ?? [])
    request.caller = caller
    if (!caller.rights.has(right)) throw new AdminError('notPermitted', whyNotPermitted(right))
    if (isSensitiveFor(isSensitive, caller.rights)) assertSufficient(access, adminAcr, fastify.clock.now())
  })

  /** @throws AccessError if the client or the user no longer has access */
  async function findCaller ({ access, isProven }: Access, { ip, id: requestId }: FastifyRequest): Promise<Caller & { client: Client }> {
    const client = await stores.clients.read(access.client_id)
    if (client === null || client.disabledAt !== null || !canAdminister(client)) throw new AccessError('invalid', isProven)
    const source = sourceOf(ip)
    if (access.gty === CLIENT_CREDENTIALS) {
      // An operator has allowed the client these scopes by name.
      const rights = rightsOf([parseScope(access.scope).includes('admin:write') ? 'administrator' : 'auditor'])
      return { client, by: { kind: 'client', clientId: client.id, source, requestId }, rights }
    }
    const userId = await findUserId(access, client, stores.grants)
    const user = userId === null ? null : await stores.users.find({ id: userId })
    if (user === null || user.disabledAt !== null) throw new AccessError('invalid', isProven)
    const { roles, rights } = await findRights(stores, user.id)
    return { client, by: { kind: 'user', userId: user.id, roles, source, requestId }, rights }
  }

  /** @throws AdminError */
  async function assertNotTooMany ({ access }: Access, reply: FastifyReply): Promise<void> {
    const { retryAfter } = await throttle.count(`${access.client_id} ${access.sub}`)
    if (retryAfter === 0) return
    reply.header('retry-after', retryAfter)
    throw new AdminError('tooManyRequests')
  }
}, { name: 'admin-access', fastify: '5.x', dependencies: ['clock'] })

/** @throws AccessError */
function assertScope ({ isProven }: Access, scope: string, held: readonly string[]): void {
  if (!held.includes(scope)) throw new AccessError('insufficient', isProven, { scope })
}

/** A client that acts on its own behalf has no sign-in. @throws AccessError (RFC 9470 §3) */
function assertSufficient ({ access, isProven }: Access, required: Acr | undefined, now: Date): void {
  if (access.gty === CLIENT_CREDENTIALS) return
  const signIn = { authTime: new Date((access.auth_time ?? 0) * 1_000), acr: access.acr }
  if (!allowsSensitive(signIn, required, now)) throw new AccessError('signInInsufficient', isProven, requiredSignIn(required))
}
