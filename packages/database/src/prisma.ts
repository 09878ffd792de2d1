/** The module of a generated client. */
type Load<C> = () => Promise<{ PrismaClient: new (options: never) => C }>

/**
 * Opens Prisma's client, on connections of its own, for what operators and tests do: its first query takes 0.2 s and 40 MB, so
 * no request uses it. Call `$disconnect` at the end.
 */
export async function openPrisma<C> (url: string, load: { sqlite: Load<C>, postgresql: Load<unknown> }): Promise<C> {
  if (!url.startsWith('file:')) {
    const { PrismaPg } = await import('@prisma/adapter-pg')
    const { PrismaClient } = await load.postgresql()
    // as: the clients of both dialects are generated from the same models, and differ in types only.
    return new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) } as never) as C
  }
  const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3')
  const { PrismaClient } = await load.sqlite()
  // as: every client takes an adapter.
  return new PrismaClient({ adapter: new PrismaBetterSqlite3({ url }) } as never)
}
