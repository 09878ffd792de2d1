import type { Connection } from './connection.js'
import { SteadyTime } from '@frontdesk/service-kit/steady-time'

/** The clock that all processes on a database share. */
export interface Clock {
  /** The database's time: PostgreSQL's own clock; with SQLite, this machine's. */
  now (): Date
  /** Seconds that the database's clock is ahead of this machine's; `null` with SQLite, which has no clock of its own. */
  ahead (): number | null
  /**
   * A time that has certainly passed: rows that expired before it can be removed. Queries PostgreSQL each time. `null` while this
   * machine's clock, which SQLite uses, cannot be trusted. @throws if the database does not respond
   */
  settled (): Promise<Date | null>
  /** Stops measuring in the background. */
  stop (): void
}

/** This machine's clocks in milliseconds: since 1970, and monotonic. */
interface Ticks {
  readonly machine: () => number
  readonly monotonic: () => number
}

export const TICKS: Ticks = { machine: () => Date.now(), monotonic: () => performance.now() }

const COMPARE_INTERVAL_MS = 10_000

/** Opens the clock of a database. @throws if PostgreSQL does not respond */
export async function openClock (connection: Pick<Connection, 'dialect' | 'run'>, ticks = TICKS): Promise<Clock> {
  return connection.dialect === 'postgresql' ? await openDatabaseClock(connection, ticks) : openMachineClock(ticks)
}

/** Measures PostgreSQL's clock and extrapolates with the monotonic clock, so that jumps of this machine's clock have no effect. */
async function openDatabaseClock ({ run }: Pick<Connection, 'run'>, { machine, monotonic }: Ticks): Promise<Clock> {
  let offset: number | undefined
  let isMeasuring = false

  const measure = async () => {
    const sent = monotonic()
    const [[text] = []] = await run({ sql: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8', args: [] })
    const time = Number(text)
    const [least, most] = [time - monotonic(), time - sent]
    // PostgreSQL read its clock at some moment of the round trip, so the offset changes only as far as it must.
    offset = offset === undefined ? (least + most) / 2 : Math.min(Math.max(offset, least), most)
  }
  await measure()

  const timer = setInterval(() => {
    if (isMeasuring) return
    isMeasuring = true
    // While the database does not respond, the last measurement stays in use.
    measure().catch(() => undefined).finally(() => { isMeasuring = false })
  }, COMPARE_INTERVAL_MS).unref()
  // as: measured above.
  const time = () => offset as number + monotonic()
  return {
    now: () => new Date(time()),
    ahead: () => (time() - machine()) / 1_000,
    async settled () {
      await measure()
      return new Date(time())
    },
    stop: () => clearInterval(timer)
  }
}

function openMachineClock (ticks: Ticks): Clock {
  const steady = new SteadyTime(ticks.machine, ticks.monotonic)
  const timer = setInterval(() => steady.look(), COMPARE_INTERVAL_MS).unref()
  return {
    now: () => new Date(ticks.machine()),
    ahead: () => null,
    async settled () {
      const time = steady.settled()
      return time === null ? null : new Date(time)
    },
    stop: () => clearInterval(timer)
  }
}

/** SQL of the database's time, in the format of its time columns: processes compare with it instead of their own. @param seconds to add */
export function databaseTime ({ dialect }: Pick<Connection, 'dialect'>, seconds = 0): string {
  return dialect === 'postgresql'
    ? `(clock_timestamp() AT TIME ZONE 'UTC' + interval '${seconds} seconds')`
    : `strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', '${seconds} seconds')`
}
