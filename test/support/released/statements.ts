import Sqlite from 'better-sqlite3'
import pg from 'pg'

/** A statement with its parameters, as a driver got it. */
export interface Statement { sql: string, values: unknown[] }

/** What a release said to its database, and how many rows each statement gave or changed. */
export type Released = Array<Statement & { rows: number }>

/** Notes every statement that reaches the drivers of this process, from now until `stop`. */
export function overhear (): { heard: Statement[], stop: () => void } {
  const heard: Statement[] = []
  const { prepare, exec } = Sqlite.prototype
  const { query } = pg.Client.prototype
  // as, all three: the same as what they stand in for, for the ways in which the drivers call them.
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    const statement = prepare.call(this, sql) as Sqlite.Statement
    // Values come with `bind`, or with the call that runs it, which can be many of one statement.
    let isBound = false
    for (const name of ['bind', 'all', 'get', 'run'] as const) {
      const call = statement[name].bind(statement) as (...values: unknown[]) => unknown
      Object.assign(statement, {
        [name]: (...values: unknown[]) => {
          if (name === 'bind' || !isBound) heard.push({ sql, values: values.flat() })
          isBound = name === 'bind'
          return call(...values)
        }
      })
    }
    return statement
  } as typeof prepare
  Sqlite.prototype.exec = function (sql) {
    heard.push({ sql, values: [] })
    return exec.call(this, sql)
  }
  pg.Client.prototype.query = function (this: pg.Client, asked: string | { text: string, values?: unknown[] }, ...rest: unknown[]) {
    const { text, values } = typeof asked === 'string' ? { text: asked, values: rest[0] } : asked
    heard.push({ sql: text, values: Array.isArray(values) ? values : [] })
    return query.apply(this, [asked, ...rest] as never)
  } as typeof query
  const stop = () => {
    Object.assign(Sqlite.prototype, { prepare, exec })
    pg.Client.prototype.query = query
  }
  return { heard, stop }
}

/**
 * Says statements to a database, one after the other, and counts the rows of each.
 * @param others what another process says after each of them that ends a transaction
 * @throws with the statement that fails
 */
export async function say (url: string, statements: readonly Statement[], others: readonly Statement[] = []): Promise<number[]> {
  const [own, other] = [await open(url), await open(url)]
  const rows: number[] = []
  let isInTransaction = false
  try {
    for (const statement of statements) {
      rows.push(await own.count(statement))
      if (/^BEGIN/.test(statement.sql)) isInTransaction = true
      if (/^(COMMIT|ROLLBACK)/.test(statement.sql)) isInTransaction = false
      if (!isInTransaction) for (const it of others) await other.count(it)
    }
    return rows
  } finally {
    await own.close()
    await other.close()
  }
}

async function open (url: string) {
  const { run, close } = url.startsWith('file:') ? openSqlite(url) : await openPostgres(url)
  return {
    close,
    async count ({ sql, values }: Statement) {
      try {
        return await run(sql, values)
      } catch (cause) {
        // A unique key that said no is an answer of its own.
        if (!isRefusal(cause)) throw new Error(`${cause instanceof Error ? cause.message : cause}, in: ${sql}`, { cause })
        return REFUSED
      }
    }
  }
}

/** In place of a count: a unique key was taken. */
const REFUSED = -1

function isRefusal (error: unknown): boolean {
  return error instanceof Error && 'code' in error &&
    (error.code === '23505' || /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(`${error.code}`))
}

function openSqlite (url: string) {
  const database = new Sqlite(url.slice('file:'.length))
  return {
    async run (sql: string, values: unknown[]) {
      const statement = database.prepare(sql)
      return statement.reader ? statement.all(...values).length : statement.run(...values).changes
    },
    close: async () => { database.close() }
  }
}

async function openPostgres (url: string) {
  const client = new pg.Client(url)
  await client.connect()
  return {
    run: async (sql: string, values: unknown[]) => (await client.query(sql, values)).rowCount ?? 0,
    close: async () => { await client.end() }
  }
}
