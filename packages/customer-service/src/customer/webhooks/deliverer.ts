import type { CustomerEvent } from '@frontdesk/schemas/customer-event'
import type { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { randomUUID } from 'node:crypto'
import { formatCursor } from '../../stores/changes/feed-cursor.js'
import type { Feed, FeedChange, FeedGap } from '../../stores/changes/feed.js'
import type { Webhook, Webhooks } from '../../stores/webhooks/webhooks.js'
import { webhooksLooked } from '../../telemetry/events.js'
import { sendEvent } from './send.js'

/** Attempts to deliver an event before it becomes a dead letter. With the delays below, they take about three hours. */
export const MAX_ATTEMPTS = 18

/** Base and cap of the exponential backoff with full jitter, in seconds. */
const [BACKOFF_SECONDS, MAX_BACKOFF_SECONDS] = [1, 3_600]

/** Events to read at once. */
const MAX_EVENTS_READ = 100

/** What a {@link Deliverer} needs. */
export interface DelivererOptions {
  webhooks: Webhooks
  feed: Feed
  outgoing: Outgoing
  represent: (change: FeedChange) => CustomerEvent
  log: { warn (details: object, message: string): void }
  /** A number from 0 to 1. */
  random?: () => number
}

/** Delivers the change feed to webhooks. A webhook gets one event after the other, so that each customer's stay in order. */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #process = randomUUID()
  readonly #stop = new AbortController()
  readonly #delivering = new Map<string, Promise<void>>()

  constructor (options: DelivererOptions) {
    this.#options = options
  }

  /** Starts the due deliveries and returns them, one for each webhook: a slow receiver does not delay others. */
  async begin (): Promise<Array<Promise<void>>> {
    const { webhooks, feed, log } = this.#options
    const enabled = await webhooks.listEnabled()
    if (enabled.length === 0) {
      webhooksLooked.publish({ behind: {} })
      return []
    }
    const last = await feed.findEnd('latest')
    webhooksLooked.publish({ behind: Object.fromEntries(enabled.map(({ id, position }) => [id, Math.max(0, last.position - position)])) })
    return enabled.filter(webhook => webhook.isDue && formatCursor(webhook) !== formatCursor(last)).flatMap(({ id }) => {
      if (this.#delivering.has(id) || this.#stop.signal.aborted) return []
      const delivering = this.#deliverTo(id)
        .catch(err => { log.warn({ err, webhook: id }, 'cannot deliver to a webhook; retrying later') })
        .finally(() => this.#delivering.delete(id))
      this.#delivering.set(id, delivering)
      return [delivering]
    })
  }

  /** Aborts the deliveries; another process or a later start resumes them. */
  async stop (): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#delivering.values())
  }

  async #deliverTo (id: string): Promise<void> {
    const { webhooks } = this.#options
    if (!await webhooks.lease(id, this.#process)) return
    try {
      // Reads it again: under the lease, no other process changes it.
      while (await this.#deliverPage(await webhooks.find(id)));
    } finally {
      await webhooks.release(id, this.#process)
    }
  }

  /** Returns whether there may be more to deliver now. */
  async #deliverPage (webhook: Webhook | null): Promise<boolean> {
    const { webhooks, feed } = this.#options
    if (webhook === null || webhook.disabledReason !== null) return false
    const page = await feed.read(webhook, MAX_EVENTS_READ)
    if ('gap' in page) return await this.#bridge(webhook, page.gap)
    let { position, mark } = webhook
    for (const change of page.changes) {
      if (this.#stop.signal.aborted || !await webhooks.lease(webhook.id, this.#process)) return false
      const failures = position === webhook.position ? webhook.failures : 0
      if (!await this.#deliver({ ...webhook, position, mark, failures }, change)) return false
      ;({ position, mark } = change)
    }
    return page.changes.length === MAX_EVENTS_READ
  }

  /** Returns whether to continue with the next event. */
  async #deliver (webhook: Webhook, change: FeedChange): Promise<boolean> {
    const { webhooks, outgoing, represent, log, random = Math.random } = this.#options
    const delivery = await sendEvent(outgoing, webhook, represent(change), this.#stop.signal)
    if (delivery === 'delivered') return await webhooks.advance(webhook, change)
    if (this.#stop.signal.aborted) return false
    if (delivery === 'gone') {
      await this.#disable(webhook, 'The receiver answered with status 410.')
      return false
    }
    const attempts = webhook.failures + 1
    const details = { webhook: webhook.id, position: change.position, attempts, reason: delivery.failure }
    if (attempts < MAX_ATTEMPTS) {
      log.warn(details, 'an event was not delivered; retrying later')
      const pause = Math.max(random() * BACKOFF_SECONDS * 2 ** webhook.failures, delivery.pauseSeconds)
      await webhooks.delay(webhook, delivery.failure, Math.min(MAX_BACKOFF_SECONDS, pause))
      return false
    }
    const isGivenUp = await webhooks.giveUp(webhook, change, delivery.failure)
    if (isGivenUp) log.warn(details, 'gave up on an event: it is a dead letter')
    return isGivenUp
  }

  /** After a restored backup, a webhook starts again with the oldest event: receivers recognize repeated events by their id. */
  async #bridge (webhook: Webhook, gap: FeedGap['gap']): Promise<boolean> {
    const { webhooks, feed, log } = this.#options
    if (gap === 'removed') {
      await this.#disable(webhook, 'Events after its position were removed.')
      return false
    }
    log.warn({ webhook: webhook.id }, 'the database was restored: a webhook starts again with the oldest event')
    return await webhooks.advance(webhook, await feed.findEnd('oldest'))
  }

  async #disable (webhook: Webhook, reason: string): Promise<void> {
    const { webhooks, log } = this.#options
    if (await webhooks.disable(webhook, reason)) log.warn({ webhook: webhook.id, reason }, 'a webhook was disabled')
  }
}
