import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'

/** Locks customers against writes, as another process would. Resolves to the function that unlocks them. */
export async function lockCustomers (url: string) {
  const other = await connectTo(url)
  await other.query(onPostgresql ? 'BEGIN; LOCK TABLE customer IN EXCLUSIVE MODE' : 'BEGIN IMMEDIATE')
  return async () => {
    await other.query('ROLLBACK')
    await other.close()
  }
}
