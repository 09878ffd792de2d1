import type { DeviceCodes, DeviceRequest } from '../stores/grants/device-codes.js'
import type { Throttles } from '../stores/operation/throttles.js'
import { DEVICE_CODE_TTL } from '../lifetimes.js'
import { createCounters } from './counters.js'
import { hashOpaqueToken } from './opaque-token.js'
import { createPerKeyLimit } from './queue.js'
import { sourcesOf } from './source.js'
import { isUserCode } from './user-code.js'

/** Most requests of devices from one source: an IPv4 address or a /64, then a /56 and a /48. */
const REQUESTS = [30, 60, 120].map(points => ({ name: 'device', points, duration: DEVICE_CODE_TTL }))

/** Most requests of devices of one client: of more, too many user codes would be valid at once. */
const OF_CLIENT = { name: 'device client', points: 10_000, duration: DEVICE_CODE_TTL }

/** Most wrong user codes from one source in 15 minutes (RFC 8628 §5.1). */
const WRONG_CODES = [10, 20, 40].map(points => ({ name: 'user code', points, duration: 15 * 60 }))

/** Concurrent look-ups of one source, and those that wait. */
const [MAX_CONCURRENT_PER_SOURCE, MAX_QUEUED_PER_SOURCE] = [4, 64]

/**
 * Counts a request of a device. Returns how many seconds to wait if there are too many, else 0.
 * @param address of the device; `undefined` if its server asks, which has authenticated
 */
type CountDevice = (clientId: string, address: string | undefined) => Promise<number>

/** Makes the limit of requests. Those that a source may not make do not count against the client. */
export function createCountDevice (throttles: Throttles): CountDevice {
  const [bySource, byClient] = [REQUESTS.map(it => throttles.under(it)), throttles.under(OF_CLIENT)]
  return async (clientId, address) => {
    const retryAfter = address === undefined ? 0 : (await createCounters(bySource, sourcesOf(address)).count()).retryAfter
    return retryAfter > 0 ? retryAfter : (await byClient.count(clientId)).retryAfter
  }
}

/** The request of a user code that a person has typed; the seconds to wait after too many wrong codes; `null`: a wrong code. */
type FindDevice = (userCode: string, address: string, now: Date) => Promise<DeviceRequest | { readonly retryAfter: number } | null>

/** Makes the look-up, which counts wrong codes by source. Counted before: codes tried at once cannot exceed the limit. */
export function createFindDevice (deviceCodes: Pick<DeviceCodes, 'find'>, throttles: Throttles): FindDevice {
  const limits = WRONG_CODES.map(it => throttles.under(it))
  // A right code counts as wrong until it is taken back: a few at once, so that the others are not refused.
  const bySource = createPerKeyLimit<Awaited<ReturnType<FindDevice>>>(MAX_CONCURRENT_PER_SOURCE, MAX_QUEUED_PER_SOURCE)
  return async (userCode, address, now) => {
    if (!isUserCode(userCode)) return null
    const sources = sourcesOf(address)
    const looked = await bySource(sources[0], async () => {
      const counters = createCounters(limits, sources)
      const { retryAfter } = await counters.count()
      if (retryAfter > 0) return { retryAfter }
      // The fault of this server is no wrong code.
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
