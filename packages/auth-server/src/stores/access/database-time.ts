import type { Connection } from '@frontdesk/database/connection'

/** SQL value: the first whole second at least `seconds` from now, by the database's clock. */
export function wholeSecondAfter ({ dialect }: Connection, seconds: number): string {
  return dialect === 'postgresql'
    ? `date_trunc('second', timezone('utc', clock_timestamp())) + interval '${seconds + 1} seconds'`
    : `strftime('%Y-%m-%dT%H:%M:%S.000+00:00', 'now', '+${seconds + 1} seconds')`
}

/** SQL value: `seconds` after a time. @param time SQL value of a whole second */
export function secondsAfter ({ dialect }: Connection, time: string, seconds: number): string {
  return dialect === 'postgresql'
    ? `${time} + interval '${seconds} seconds'`
    : `strftime('%Y-%m-%dT%H:%M:%S.000+00:00', ${time}, '+${seconds} seconds')`
}
