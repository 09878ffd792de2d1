import { randomUUID } from 'node:crypto'

/** How far a clock must be set back for ids to follow it; otherwise they stay in order. */
const MIN_SET_BACK_MS = 60_000

/** Creates a generator of monotonic UUIDs of version 7 (RFC 9562 §5.7), which indexes append at one end. */
export function createTimeIds (): (now: Date) => string {
  let [time, count, begin] = [0, 0, '']
  return now => {
    count++
    const wanted = now.getTime()
    if (wanted > time || time - wanted > MIN_SET_BACK_MS || count > 0xfff) {
      [time, count] = [time - wanted > MIN_SET_BACK_MS ? wanted : Math.max(wanted, time + 1), 0]
      begin = formatTime(time)
    }
    // The variant and 62 random bits, as in version 4 (RFC 9562 §5.4).
    return `${begin}${(0x7000 + count).toString(16)}-${randomUUID().slice(19)}`
  }
}

/** Makes an id. */
export const timeId = createTimeIds()

/** The smallest id of a time, for range queries. */
export function leastTimeId (time: Date): string {
  return `${formatTime(Math.max(0, time.getTime()))}7000-8000-000000000000`
}

/** @param time in milliseconds since 1970 */
function formatTime (time: number): string {
  const ms = time.toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-`
}
