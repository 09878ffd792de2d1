import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import type { Outgoing, OutgoingAnswer } from '@frontdesk/service-kit/outgoing/outgoing'
import { sourcesOf } from '../sign-in/source.js'

/** Maximum concurrent requests of this replica to addresses of clients. */
export const MAX_FETCHES = 20

/** Maximum of these for one source, and to one host, so that slow ones do not block others. */
const MAX_FETCHES_PER_SOURCE = MAX_FETCHES / 5

/** Timeout of a request, in milliseconds: a user or a client waits. */
const TIMEOUT_MS = 3_000

/**
 * Fetches JSON from an address that a client has chosen (SSRF protection: {@link Outgoing}).
 * @param address source of the request that needs it
 * @param maxBytes maximum size of the body
 * @throws OutgoingError `busy` if too many requests are running, in total or for this source or host
 */
export type GuardedFetch = (url: string, address: string, maxBytes: number) => Promise<OutgoingAnswer>

/** Makes {@link GuardedFetch}. */
export function createGuardedFetch (outgoing: Pick<Outgoing, 'send'>): GuardedFetch {
  const underway = new Map<string, number>()
  return async (url, address, maxBytes) => {
    const { host } = new URL(url)
    const places = [...sourcesOf(address), `to ${host}`]
    if (places.some(it => (underway.get(it) ?? 0) >= MAX_FETCHES_PER_SOURCE)) throw new OutgoingError('busy', host)
    for (const it of places) underway.set(it, (underway.get(it) ?? 0) + 1)
    try {
      return await outgoing.send({ url, headers: { accept: 'application/json' }, timeoutMs: TIMEOUT_MS, maxBytes })
    } finally {
      for (const it of places) {
        const left = (underway.get(it) ?? 0) - 1
        if (left > 0) underway.set(it, left)
        else underway.delete(it)
      }
    }
  }
}
