import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import type { Outgoing, OutgoingAnswer } from '@frontdesk/service-kit/outgoing/outgoing'
import { sourcesOf } from '../sign-in/source.js'

/** Most requests to addresses of clients at once, of this replica. */
export const MAX_FETCHES = 20

/** Most of them for one source, and to one host: slow ones must not keep others out. */
const MAX_FETCHES_PER_SOURCE = MAX_FETCHES / 5

/** How long a request may take, in milliseconds: a user or a client waits. */
const TIMEOUT_MS = 3_000

/**
 * Fetches JSON from an address that a client has chosen (SSRF protection: {@link Outgoing}).
 * @param address source of the request that needs it
 * @param maxBytes longest body
 * @throws OutgoingError `busy` if too many requests are under way, in all or for this source or host
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
