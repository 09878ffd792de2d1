import { CustomerClient } from '@frontdesk/customer-client'
import { setTimeout } from 'node:timers/promises'

/** What a consumer uses of an event. */
export interface Received { id: string, type: string, subject: string, data: { version: number } }

/** Reads the feed until it is stopped, and goes on after failures. */
export interface Consumer {
  readonly name: string
  readonly events: Received[]
  stop (): Promise<void>
}

/** Reads page by page, at replicas in turn. */
export function readPages (urls: readonly string[]): Consumer {
  const events: Received[] = []
  const stop = new AbortController()
  const run = async () => {
    for (let next = 'oldest', turn = 0; !stop.signal.aborted; turn++) {
      const address = `${urls[turn % urls.length]}/rest/qa/customer/events?after=${next}&limit=50`
      const answer = await fetch(address, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
      if (answer !== null && answer.status < 500) {
        if (!answer.ok) throw new Error(await answer.text())
        // as: the service answers so. The connection may break in the middle: then the page is read again.
        const page = await answer.json().catch(() => null) as { events: Received[], next: string } | null
        if (page !== null) {
          events.push(...page.events)
          next = page.next
          if (page.events.length > 0) continue
        }
      }
      await setTimeout(50)
    }
  }
  const running = run()
  return { name: 'pages', events, stop: async () => { stop.abort(); await running } }
}

/** Reads the stream of one replica. */
export function readStream (url: string, number: number): Consumer {
  const events: Received[] = []
  const controller = new AbortController()
  const run = async () => {
    try {
      for await (const event of new CustomerClient({ url }).events({ after: 'oldest', signal: controller.signal })) events.push(event)
    } catch (error) {
      if (!controller.signal.aborted) throw error
    }
  }
  const running = run()
  return { name: `stream of replica ${number}`, events, stop: async () => { controller.abort(); await running } }
}
