import type { DeviceCodes, DeviceRequest } from '../stores/grants/device-codes.js'
import type { Throttles } from '../stores/operation/throttles.js'
import { DEVICE_CODE_TTL } from '../lifetimes.js'
import { createCounters } from './counters.js'
import { hashOpaqueToken } from './opaque-token.js'
import { createPerKeyLimit } from './queue.js'
import { sourcesOf } from './source.js'
import { isUserCode } from './user-code.js'

/** Maximum device authorization requests from an IPv4 address or a /64, then from a /56 and a /48. */
const REQUESTS_PER_SOURCE = [30, 60, 120].map(points => ({ name: 'device', points, duration: DEVICE_CODE_TTL }))

/** Maximum device authorization requests of a client: with more, too many user codes would be valid. */
const REQUESTS_PER_CLIENT = { name: 'device client', points: 10_000, duration: DEVICE_CODE_TTL }

/** Maximum wrong user codes from a source in 15 minutes (RFC 8628 §5.1). */
const WRONG_CODES_PER_SOURCE = [10, 20, 40].map(points => ({ name: 'user code', points, duration: 15 * 60 }))

/** Running lookups of one source, and running or queued ones. */
const [MAX_CONCURRENT_PER_SOURCE, MAX_QUEUED_PER_SOURCE] = [4, 64]

/**
 * Makes the counter of device authorization requests. It returns how many seconds to wait if there are too many, else 0. Requests that
 * are refused for their source do not count for the client. An authenticated server has no `address` of a device.
 */
export function createCountDevice (throttles: Throttles): (clientId: string, address: string | undefined) => Promise<number> {
  const [bySource, byClient] = [REQUESTS_PER_SOURCE.map(it => throttles.under(it)), throttles.under(REQUESTS_PER_CLIENT)]
  return async (clientId, address) => {
    const retryAfter = address === undefined ? 0 : (await createCounters(bySource, sourcesOf(address)).count()).retryAfter
    return retryAfter > 0 ? retryAfter : (await byClient.count(clientId)).retryAfter
  }
}

/** Finds the request of a typed user code; `null` for a wrong code. `retryAfter`: the seconds to wait after too many wrong codes. */
type FindDevice = (userCode: string, address: string, now: Date) => Promise<DeviceRequest | { readonly retryAfter: number } | null>

/** Makes the lookup. It counts wrong codes by source, before it looks, so that concurrent attempts cannot exceed the limit. */
export function createFindDevice (deviceCodes: Pick<DeviceCodes, 'find'>, throttles: Throttles): FindDevice {
  const limits = WRONG_CODES_PER_SOURCE.map(it => throttles.under(it))
  // A correct code counts as wrong until it is taken back: only a few run concurrently, so that others are not refused.
  const bySource = createPerKeyLimit<Awaited<ReturnType<FindDevice>>>(MAX_CONCURRENT_PER_SOURCE, MAX_QUEUED_PER_SOURCE)
  return async (userCode, address, now) => {
    if (!isUserCode(userCode)) return null
    const sources = sourcesOf(address)
    const looked = await bySource(sources[0], async () => {
      const counters = createCounters(limits, sources)
      const { retryAfter } = await counters.count()
      if (retryAfter > 0) return { retryAfter }
      // A failure of this server does not count as a wrong code.
      const found = await deviceCodes.find(hashOpaqueToken(userCode), now).catch(async error => {
        await counters.takeBack()
        throw error
      })
      if (found !== null) await counters.takeBack()
      return found
    })
    return looked === undefined ? { retryAfter: 2 } : looked
  }
}
