import type { DeviceCodes, DeviceRequest } from '../stores/device-codes.js'
import type { Throttles } from '../stores/throttles.js'
import { DEVICE_CODE_TTL } from '../lifetimes.js'
import { createCounters } from './counters.js'
import { hashOpaqueToken } from './opaque-token.js'
import { sourcesOf } from './source.js'

/** Most requests of devices from one source: an IPv4 address or a /64, then a /56 and a /48. */
const REQUESTS = [30, 60, 120].map(points => ({ name: 'device', points, duration: DEVICE_CODE_TTL }))

/** Most requests of devices of one client: of more, too many user codes would be valid at once. */
const OF_CLIENT = { name: 'device client', points: 10_000, duration: DEVICE_CODE_TTL }

/** Most wrong user codes from one source in 15 minutes (RFC 8628 §5.1). */
const WRONG_CODES = [10, 20, 40].map(points => ({ name: 'user code', points, duration: 15 * 60 }))

/** Counts a request of a device. Returns how many seconds to wait if there are too many, else 0. */
export type CountDevice = (clientId: string, address: string) => Promise<number>

/** Makes the limit of requests. Those that a source may not make do not count against the client. */
export function createCountDevice (throttles: Throttles): CountDevice {
  const [bySource, byClient] = [REQUESTS.map(it => throttles.under(it)), throttles.under(OF_CLIENT)]
  return async (clientId, address) => {
    const { retryAfter } = await createCounters(bySource, sourcesOf(address)).count()
    return retryAfter > 0 ? retryAfter : (await byClient.count(clientId)).retryAfter
  }
}

/** The request of a user code that a person has typed; the seconds to wait after too many wrong codes; `null`: a wrong code. */
export type FindDevice = (userCode: string, address: string, now: Date) => Promise<DeviceRequest | { readonly retryAfter: number } | null>

/** Makes the look-up, which counts wrong codes by source. Counted before: codes tried at once cannot exceed the limit. */
export function createFindDevice (deviceCodes: Pick<DeviceCodes, 'find'>, throttles: Throttles): FindDevice {
  const limits = WRONG_CODES.map(it => throttles.under(it))
  return async (userCode, address, now) => {
    const counters = createCounters(limits, sourcesOf(address))
    const { retryAfter } = await counters.count()
    if (retryAfter > 0) return { retryAfter }
    const found = await deviceCodes.find(hashOpaqueToken(userCode), now)
    if (found !== null) await counters.takeBack()
    return found
  }
}
