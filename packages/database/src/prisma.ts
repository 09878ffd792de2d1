import type { Connection } from './connection.js'

/** The module of a generated client. */
type Load = () => Promise<{ PrismaClient: unknown }>

/**
 * Prisma's client, loaded on first use. Its first query takes 0.2 s and 40 MB: use it for what operators do and for
 * rare requests, not for what a server does all the time.
 */
export function openPrisma<C> ({ adapter }: Connection, load: Record<'sqlite' | 'postgresql', Load>): () => Promise<C> {
  const open = async () => {
    const { PrismaClient } = await load[adapter.provider === 'postgres' ? 'postgresql' : 'sqlite']()
    // as: clients that are generated from the same models differ in types only.
    return new (PrismaClient as new (options: { adapter: Connection['adapter'] }) => C)({ adapter })
  }
  let client: Promise<C> | undefined
  return () => {
    client ??= open()
    return client
  }
}
