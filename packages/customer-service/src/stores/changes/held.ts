import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, sql } from '@frontdesk/database/sql'

/** Stored answers that one call returns, at most. */
const MAX_ANSWERS = 1_000

const CUSTOMER = { name: 'string', age: 'int', address: 'string', version: 'int', createdAt: 'datetime', updatedAt: 'datetime' } as const
const ANSWER = { version: 'int?', createdAt: 'datetime', expiresAt: 'datetime' } as const

/** What is held about a customer, except for its changes. */
export interface Held {
  /** `null`: there is none, or it was removed. */
  readonly customer: Row<typeof CUSTOMER> | null
  /** Answers to requests with an Idempotency-Key, newest first; `version` is `null` if the number was taken. */
  readonly answers: Array<Row<typeof ANSWER>>
}

/** Finds what is held about a customer. */
export async function findHeld (connection: Connection, id: number): Promise<Held> {
  const [customer = null] = await query(connection, CUSTOMER, sql`
    SELECT name, age, address, version, created_at, updated_at FROM customer WHERE id = ${id}`)
  const answers = await query(connection, ANSWER, sql`
    SELECT version, created_at, expires_at FROM idempotency_key WHERE customer_id = ${id} ORDER BY created_at DESC LIMIT ${MAX_ANSWERS}`)
  return { customer, answers }
}
