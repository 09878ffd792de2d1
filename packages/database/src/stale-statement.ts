import pg from 'pg'

/**
 * Whether PostgreSQL refused a prepared statement because a migration has changed the type of a column that it returns. It does so
 * each time, until the connection is closed.
 */
export function isStale (error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/** Retries work that fails with a stale statement, and then closes its connection: once for each open connection. */
export async function retryStale<R> (pool: { readonly totalCount: number }, work: () => Promise<R>): Promise<R> {
  for (let left = pool.totalCount; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0 || !isStale(error)) throw error
    }
  }
}
