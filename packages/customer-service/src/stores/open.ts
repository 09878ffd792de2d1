import type { Config } from '../config.js'
import { databaseUnavailable } from '../problems/service.js'
import type { Customers } from './customers/customer-record.js'
import { PrismaCustomers } from './customers/customers.js'
import { openClock } from '@frontdesk/database/clock'
import { queueAge } from '@frontdesk/database/batch'
import { connect } from '@frontdesk/database/connect'
import { migrate } from '@frontdesk/database/migrate'
import { isReadOnly, isUnavailable } from '@frontdesk/database/unavailable'
import { MIGRATIONS } from './maintain.js'

/**
 * Opens the register, brings its tables up to date and makes the first query.
 * @throws when the database cannot be opened or migrated
 */
export async function openDatabase ({ databaseUrl: url, database, synchronous }: Pick<Config, 'databaseUrl' | 'database' | 'synchronous'>) {
  const options = { ...database, applicationName: 'customer-service', synchronous, plansOnce: true }
  await migrate(url, MIGRATIONS, options)
  let pool: Parameters<NonNullable<Parameters<typeof connect>[1]['onPool']>>[0] | undefined
  const connection = await connect(url, { ...options, onPool: it => { pool = it } })
  // as: generated from the same models, the two clients differ in types only; SQLite's are the poorer ones.
  const { PrismaClient } = (connection.adapter.provider === 'sqlite'
    ? await import('../generated/sqlite/client.js')
    : await import('../generated/postgresql/client.js')) as typeof import('../generated/sqlite/client.js')
  const db = new PrismaClient({ adapter: connection.adapter })
  const clock = await openClock(connection)
  const customers = translateErrors(new PrismaCustomers(db, connection, clock))
  await customers.ping()
  return {
    customers,
    db,
    /** Runs a statement beside Prisma's client. */
    run: connection.run,
    queueAge,
    /** The connections to PostgreSQL; `null` with SQLite, which has none. */
    pool: () => pool === undefined ? null : { used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount },
    /** Seconds that the database's clock is ahead of this machine's; `null` with SQLite, where they are one. */
    ahead: () => clock.ahead(),
    async close () {
      clock.stop()
      await db.$disconnect()
      await connection.close()
    }
  }
}

/** Turns "not now" of the database layer into the problem that callers see. */
function translateErrors (customers: Customers): Customers {
  const translate = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => (...args: A) =>
    work.apply(customers, args).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error
      const detail = isReadOnly(error) ? 'The customer register can only be read at the moment. Nothing was changed.' : 'The customer register does not answer. Try again in a moment.'
      throw databaseUnavailable(detail, { cause: error })
    })
  return {
    register: translate(customers.register),
    registerOnce: translate(customers.registerOnce),
    find: translate(customers.find),
    move: translate(customers.move),
    change: translate(customers.change),
    remove: translate(customers.remove),
    forgetAttempts: translate(customers.forgetAttempts),
    list: translate(customers.list),
    count: translate(customers.count),
    prepare: translate(customers.prepare),
    ping: translate(customers.ping)
  }
}
