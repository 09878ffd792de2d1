import type { ConnectOptions } from './dialect.js'

/** The module of a generated client. */
type Load<C> = () => Promise<{ PrismaClient: new (options: never) => C }>

/**
 * Opens Prisma's client, on its own connections, for commands and tests. No request uses it: its first query takes a quarter of a
 * second and 40 MB. Call `$disconnect` at the end.
 */
export async function openPrisma<C> (
  url: string, options: ConnectOptions, load: { sqlite: Load<C>, postgresql: Load<unknown> }
): Promise<C> {
  const isFile = url.startsWith('file:')
  const adapter = await (isFile ? sqliteAdapter(url) : postgresqlAdapter(url, options))
  const { PrismaClient } = await load[isFile ? 'sqlite' : 'postgresql']()
  // as: every client takes an adapter. The clients of both dialects have the same models, and differ only in types.
  return new PrismaClient({ adapter } as never) as C
}

async function sqliteAdapter (url: string) {
  const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3')
  const { PRAGMAS } = await import('./sqlite.js')
  const adapter = new PrismaBetterSqlite3({ url })
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    async connect () {
      const driver = await adapter.connect()
      await driver.executeScript(PRAGMAS)
      return driver
    }
  }
}

async function postgresqlAdapter (url: string, options: ConnectOptions) {
  const { PrismaPg } = await import('@prisma/adapter-pg')
  const { clientConfig } = await import('./postgresql.js')
  return new PrismaPg({ ...clientConfig(url, options), max: options.poolSize })
}
