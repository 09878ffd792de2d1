import { randomUUID } from 'node:crypto'

/** Ids stay monotonic while the clock is set back by less than this, in milliseconds. */
const SET_BACK = 60_000

/** Makes monotonic UUIDs of version 7 (RFC 9562 §5.7), which indexes append at one end. */
export function createTimeIds (): (now: Date) => string {
  let [time, count, begin] = [0, 0, '']
  return now => {
    count++
    const wanted = now.getTime()
    if (wanted > time || time - wanted > SET_BACK || count > 0xfff) {
      [time, count] = [time - wanted > SET_BACK ? wanted : Math.max(wanted, time + 1), 0]
      begin = beginOf(time)
    }
    // The variant and 62 random bits, as in version 4 (RFC 9562 §5.4).
    return `${begin}${(0x7000 + count).toString(16)}-${randomUUID().slice(19)}`
  }
}

/** The next id of this process. */
export const timeId = createTimeIds()

/** The smallest id of a time, for range queries. */
export function leastTimeId (time: Date): string {
  return `${beginOf(Math.max(0, time.getTime()))}7000-8000-000000000000`
}

/** @param time in milliseconds since 1970 */
function beginOf (time: number): string {
  const ms = time.toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-`
}
