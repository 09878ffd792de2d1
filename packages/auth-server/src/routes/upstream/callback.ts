import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { after, UPSTREAM_TTL } from '../../lifetimes.js'
import { upstreamChanged } from '../../mail/upstream-notice.js'
import type { Notify } from '../../mail/notices.js'
import { UPSTREAM } from '../../oauth/authentication.js'
import { errors, OAuthError } from '../../oauth/errors.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import type { Upstream } from '../../settings/upstream.js'
import { createCounters } from '../../sign-in/counters.js'
import { credentialState } from '../../sign-in/password-link.js'
import { sourcesOf } from '../../sign-in/source.js'
import { createFindAccount } from '../../sign-in/upstream-account.js'
import type { StartedTrip, UpstreamProvider, UpstreamUser } from '../../sign-in/upstream-provider.js'
import type { RoundTrip, RoundTrips } from '../../sign-in/upstream-round-trip.js'
import type { Stores } from '../../stores/stores.js'
import { pages } from '../responses.js'
import { startingSession } from '../sign-in/attempt-sign-in.js'
import { noteSignedIn } from '../visit.js'

/** Failed sign-ins of an IPv4 address or a /64, then of a /56 and a /48: each costs requests to the provider. */
const FAILURES = [30, 60, 120].map(points => ({ name: 'upstream', points, duration: 10 * 60 }))

export interface CallbackOptions {
  upstream: Upstream
  issuer: string
  stores: Pick<Stores, 'spentIds' | 'throttles' | 'upstreamIdentities' | 'users'>
  roundTrips: RoundTrips
  provider: UpstreamProvider
  formKeys: FormKeys
  notify: Notify
}

/** `GET /upstream/callback`: the response of the upstream provider signs a user in, or connects the account there. */
const upstreamCallback: FastifyPluginAsyncTypebox<CallbackOptions> = async function upstreamCallback (
  fastify, { upstream, issuer, stores, roundTrips, provider, formKeys, notify }
) {
  const { spentIds, throttles, upstreamIdentities: identities, users } = stores
  const findAccount = createFindAccount(identities, upstream.domains)
  const limits = FAILURES.map(it => throttles.under(it))
  // The responses of the provider are checked by the rules of the RFCs.
  fastify.setValidatorCompiler(() => () => true)

  fastify.get('/upstream/callback', {
    schema: {
      operationId: 'upstreamCallback',
      summary: 'Receive the response of the upstream OpenID Provider',
      tags: ['Consent page'],
      description: 'Available only with `UPSTREAM_ISSUER`.',
      querystring: Type.Object({ state: Type.String(), code: Type.Optional(Type.String()), error: Type.Optional(Type.String()) }),
      response: { ...pages, 303: Type.Null({ description: 'Redirects to the page where the sign-in began.' }) }
    }
  }, async (request, reply) => {
    const trip = await open(request)
    // Only now: another site can send anyone's browser here, without a state of this browser.
    const attempts = createCounters(limits, sourcesOf(request.ip))
    const { retryAfter } = await attempts.count()
    if (retryAfter > 0) {
      reply.header('retry-after', retryAfter)
      throw errors.tooManyUpstreamSignIns('too many failures from this source')
    }
    await finish(reply, trip).catch(async error => {
      if (isNoFailure(error)) await attempts.takeBack()
      throw error
    })
    await attempts.takeBack()
    return reply.header('cache-control', 'no-store').redirect(trip.page, 303)
  })

  /** @throws OAuthError */
  async function finish (reply: FastifyReply, trip: StartedTrip): Promise<void> {
    const query = queryOf(reply.request.url)
    // An error has nothing to use twice: anyone can write one, and it stores nothing.
    if (!single(parseParameters(query), 'error')) await spend(trip)
    const user = await provider.signIn(query, trip)
    await (trip.connects === undefined ? signIn(reply, trip, user) : connect(reply, trip.connects, user))
  }

  /** Opens `state`. @throws OAuthError `upstreamEnded` */
  async function open (request: FastifyRequest): Promise<StartedTrip> {
    const [now, state] = [fastify.clock.now(), single(parseParameters(queryOf(request.url)), 'state') ?? '']
    const trip = request.browser === undefined ? null : await roundTrips.open(state, request.browser, now)
    if (trip === null) throw errors.upstreamEnded('the state has expired, or is for another browser or server')
    request.startAgain = new URL(issuer).origin + trip.page
    return { ...trip, state }
  }

  /** @throws OAuthError `upstreamEnded` */
  async function spend ({ idHash }: RoundTrip): Promise<void> {
    // Stored for longer than it works: clocks of replicas differ.
    const until = after(fastify.clock.now(), 2 * UPSTREAM_TTL)
    if (!await spentIds.add(idHash, until)) throw errors.upstreamEnded('the state was used before')
  }

  /** Starts a session. The page to which the browser returns asks for a second factor. @throws OAuthError */
  async function signIn (reply: FastifyReply, { page, clientId, isStrict }: RoundTrip, { idHash, authTime, ...rest }: UpstreamUser) {
    const now = fastify.clock.now()
    const { userId, isNew } = await findAccount({ idHash, authTime, ...rest })
    if (isNew) reply.request.audit({ event: 'upstream', outcome: 'added', userId })
    const user = await users.find({ id: userId }, clientId)
    // After the user was read: if it is disconnected from now on, no session starts.
    const isHolder = user?.disabledAt === null && await identities.use(idHash, userId, now)
    if (!isHolder) throw errors.upstreamUnknown('the user is disabled, or was disconnected in the meantime')
    const authentication = { authTime: authTime !== undefined && authTime < now ? authTime : now, amr: UPSTREAM }
    const session = await startingSession(reply, {
      user, factor: 'upstream', clientId, counted: Promise.resolve(), ...authentication
    }).start()
    if ('message' in session) throw errors.endedForm('the user was disabled or access revoked in the meantime')
    if (isStrict) noteSignedIn(reply, formKeys, page, userId)
  }

  /** Connects the account to the user who began. @throws OAuthError */
  async function connect (reply: FastifyReply, { userId, state }: NonNullable<RoundTrip['connects']>, identity: UpstreamUser) {
    const session = await reply.request.session()
    const user = session?.userId === userId ? await users.find({ id: userId }) : null
    if (user === null || credentialState(user) !== state) {
      throw errors.upstreamEnded('the user has signed out, or the password was changed or access revoked')
    }
    const outcome = await identities.connect(user, identity)
    if (outcome === 'ended') throw errors.upstreamEnded('the password was changed or access revoked in the meantime')
    if (outcome === 'taken') throw errors.upstreamTaken('another user has the identity, or the user has another one')
    reply.request.audit({ event: 'upstream', outcome: 'connected', userId })
    await notify(userId, upstreamChanged('connected', upstream.name))
    reply.setFlash('connected')
  }
}
export default upstreamCallback

/** Whether the provider is down, or the user did not sign in there. */
function isNoFailure (error: unknown): boolean {
  return error instanceof OAuthError && ['upstreamUnavailable', 'upstreamDenied'].includes(error.kind)
}
