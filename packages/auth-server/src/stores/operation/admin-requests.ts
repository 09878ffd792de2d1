import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { execute, executeStep, query, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { adminRequest } from '../../generated/tables.js'

const ANSWERED = pick(adminRequest, 'fingerprint', 'answer')

/** A creation with an `Idempotency-Key`. */
export type AdminRequest = Omit<Row<typeof adminRequest.columns>, 'answer'>

/** Another request with this key has made its change. Nothing was changed. */
export class DuplicateRequestError extends Error {
  constructor () {
    super('another request with this key was first')
  }
}

/**
 * A connection for the change of one request. Its first transaction claims the request's key; if another request has claimed it, it
 * throws {@link DuplicateRequestError}. A change that returns `false` or `null` leaves the key free.
 */
export function claiming (connection: Connection, { id, fingerprint, expiresAt }: AdminRequest): Connection {
  const now = raw(databaseTime(connection))
  let isClaimed = false
  return {
    ...connection,
    async transact (steps, mode) {
      if (isClaimed) return await connection.transact(steps, mode)
      const done = await connection.transact(() => claim(steps), mode)
      isClaimed = done !== false && done !== null
      return done
    }
  }

  function * claim<R> (steps: () => Steps<R>): Steps<R> {
    const claimed = yield * executeStep(connection, sql`
      INSERT INTO admin_request (id, fingerprint, expires_at) VALUES (${id}, ${fingerprint}, ${expiresAt})
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, answer = NULL, expires_at = excluded.expires_at
      WHERE admin_request.expires_at <= ${now}`)
    if (claimed === 0) throw new DuplicateRequestError()
    const done = yield * steps()
    if (done === false || done === null) yield * executeStep(connection, sql`DELETE FROM admin_request WHERE id = ${id}`)
    return done
  }
}

/** Opens the requests that were made with a key. */
export function openAdminRequests (connection: Connection) {
  const now = raw(databaseTime(connection))
  return {
    /** The request with this id; `null` if there is none, or it has expired. */
    async find (id: string) {
      const [found] = await query(connection, ANSWERED, sql`
        SELECT ${raw(columnNames(ANSWERED))} FROM admin_request WHERE id = ${id} AND expires_at > ${now}`)
      return found ?? null
    },
    /** Stores the sealed response. */
    async answer (id: string, answer: string) {
      await execute(connection, sql`UPDATE admin_request SET answer = ${answer} WHERE id = ${id}`)
    }
  }
}
