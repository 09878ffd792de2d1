import { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import { after } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import { metricLabel } from '../oauth/identity.js'
import { MAX_CONCURRENT_PER_CLIENT, type EndedClientSession } from '../stores/sessions/logout-queue.js'
import type { Clock, Stores } from '../stores/stores.js'
import { logoutSent } from '../telemetry/events.js'
import { mintLogoutToken } from '../tokens/logout-token.js'

declare module 'fastify' {
  interface FastifyInstance {
    readonly logoutSender: LogoutSender
  }
}

interface Options {
  config: Pick<Config, 'issuer' | 'allowPrivateNetworks'>
  stores: Pick<Stores, 'clientSessions' | 'clients'>
  idTokens: IdTokenSigner
}

type Parts = Options & { clock: Pick<Clock, 'now'>, log: FastifyBaseLogger }

const INTERVAL_MS = 2_000
/** Limits of a request to a client: milliseconds, and bytes of its response. */
const LIMITS = { timeoutMs: 5_000, maxBytes: 65_536 }
/** Clients that are sent to concurrently; a few more can begin together. */
const MAX_CLIENTS = 64
const MAX_CONCURRENT_REQUESTS = 2 * MAX_CLIENTS * MAX_CONCURRENT_PER_CLIENT
/** Seconds until a failed logout token is sent again, ± 20 %. After the last, it is dropped. */
const RETRY_DELAYS_S = [10, 60, 300, 1_200]

/** Sends logout tokens when sessions end (OpenID Connect Back-Channel Logout §2.5), on every replica. */
export default fp<Options>(async function backChannelLogout (fastify, options) {
  const sender = new LogoutSender({ ...options, clock: fastify.clock, log: fastify.log })
  fastify.decorate('logoutSender', sender)
  periodic(fastify, {
    name: 'back-channel-logout',
    everyMs: INTERVAL_MS,
    run: () => sender.run(),
    warning: 'cannot read due logout tokens; retrying later'
  })
  fastify.addHook('onClose', () => sender.stop())
}, { name: 'back-channel-logout', fastify: '5.x', dependencies: ['clock'] })

/** Sends due logout tokens. A slow client does not delay others, since each has its own few requests. */
class LogoutSender {
  readonly #parts: Parts
  readonly #outgoing: Outgoing
  readonly #stop = new AbortController()
  /** The pending requests, by client. */
  readonly #sending = new Map<string, Promise<void>>()
  #running: Promise<void> | undefined
  #isRequested = false

  constructor (parts: Parts) {
    this.#parts = parts
    this.#outgoing = new Outgoing({ allowPrivateNetworks: parts.config.allowPrivateNetworks, maxAtOnce: MAX_CONCURRENT_REQUESTS })
  }

  /** Starts to send due logout tokens. Concurrent calls share a run. @throws if the database does not respond */
  async run (): Promise<void> {
    this.#isRequested = true
    this.#running ??= this.#start().finally(() => { this.#running = undefined })
    await this.#running
  }

  /** Aborts the requests, which are sent again later. */
  async stop (): Promise<void> {
    this.#stop.abort()
    await this.#running?.catch(() => {})
    await Promise.all(this.#sending.values())
  }

  async #start (): Promise<void> {
    const { clientSessions } = this.#parts.stores
    while (this.#isRequested && !this.#stop.signal.aborted && this.#sending.size < MAX_CLIENTS) {
      this.#isRequested = await clientSessions.markEnded()
      const claimed = await clientSessions.claim([...this.#sending.keys()])
      for (const clientId of new Set(claimed.map(it => it.clientId))) {
        const sending = claimed.filter(it => it.clientId === clientId).map(it => this.#sendOne(it))
        this.#sending.set(clientId, Promise.all(sending).then(() => this.#sent(clientId)))
      }
      this.#isRequested ||= claimed.length > 0
    }
  }

  #sent (clientId: string): void {
    this.#sending.delete(clientId)
    // This client may have more. A failure is retried by the next run.
    if (!this.#stop.signal.aborted) this.run().catch(() => {})
  }

  /** Sends a logout token, and records the outcome. Never throws, since claims expire. */
  async #sendOne (session: EndedClientSession): Promise<void> {
    const { stores: { clients, clientSessions }, clock, log } = this.#parts
    const { clientId: client, attempts } = session
    const found = Promise.resolve(clients.find(client))
    const failure = await found.then(it => this.#deliver(it, session))
      .catch((error: unknown) => error instanceof Error ? error.message : String(error))
    const delay = this.#stop.signal.aborted ? 0 : RETRY_DELAYS_S[attempts - 1]
    const outcome = failure === null ? 'delivered' : delay === undefined ? 'dropped' : 'failed'
    if (failure !== null) log.warn({ client, attempts, reason: failure }, `a logout token ${outcome === 'dropped' ? 'is dropped' : 'failed'}`)
    try {
      if (failure === null || delay === undefined) await clientSessions.finish(session)
      else await clientSessions.retry(session, after(clock.now(), delay * (0.8 + 0.4 * Math.random())))
    } catch (error) {
      log.warn({ err: error, client }, 'could not record the outcome of a logout token; sending it again')
    }
    const label = await found.then(it => it === null ? 'unknown' : metricLabel(it), () => 'unknown')
    logoutSent.publish({ client: label, outcome })
  }

  /** Returns why the client did not accept the logout token; `null` if it did (§2.8). @throws OutgoingError */
  async #deliver (client: Client | null, { userId, sid }: EndedClientSession): Promise<string | null> {
    const { config: { issuer }, idTokens, clock } = this.#parts
    const url = client?.backchannelLogoutUri
    // The client was changed after the claim.
    if (client === null || url == null) return null
    const logoutToken = await mintLogoutToken(idTokens, { issuer, client, userId, sid }, clock.now())
    const { status } = await this.#outgoing.send({
      ...LIMITS,
      url,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${new URLSearchParams({ logout_token: logoutToken })}`,
      signal: this.#stop.signal
    })
    return status >= 200 && status < 300 ? null : `the app answered with status ${status}`
  }
}
