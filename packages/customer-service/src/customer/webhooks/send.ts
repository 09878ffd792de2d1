import type { CustomerEvent } from '@frontdesk/schemas/customer-event'
import type { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import { Webhook as Signer } from 'standardwebhooks'
import type { Webhook } from '../../stores/webhooks/webhooks.js'

/** Limits of a delivery: milliseconds, and bytes of the response. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 65_536 }

/** Outcome of a delivery. `gone`: the receiver wants no more events (status 410). `pauseSeconds`: from `Retry-After`. */
type Delivery = 'delivered' | 'gone' | { readonly failure: string, readonly pauseSeconds: number }

/** Sends an event to a webhook, signed with Standard Webhooks 1.0. Does not follow redirects. */
export async function sendEvent (
  outgoing: Outgoing, { id, url, secret }: Pick<Webhook, 'id' | 'url' | 'secret'>, event: CustomerEvent, signal?: AbortSignal
): Promise<Delivery> {
  const message = `${id}.${event.id}`
  const time = new Date()
  const body = JSON.stringify(event)
  try {
    const { status, headers } = await outgoing.send({
      ...LIMITS,
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        // The same for each attempt: receivers recognize repeated events by it.
        'webhook-id': message,
        'webhook-timestamp': `${Math.floor(time.getTime() / 1_000)}`,
        'webhook-signature': new Signer(secret).sign(message, time, body)
      },
      body,
      ...(signal === undefined ? {} : { signal })
    })
    if (status === 410) return 'gone'
    if (status >= 200 && status < 300) return 'delivered'
    return { failure: `The receiver answered with status ${status}.`, pauseSeconds: parseRetryAfter(headers['retry-after']) }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return { failure: error.message, pauseSeconds: 0 }
  }
}

/** Parses `Retry-After` (RFC 9110 §10.2.3): seconds; 0 if it is missing or a date. */
function parseRetryAfter (retryAfter = ''): number {
  return /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : 0
}
