import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, raw, sql } from '@frontdesk/database/sql'
import { FORM_TOKEN_TTL, PUSHED_REQUEST_TTL } from '../../lifetimes.js'

/** Most stored requests of a client that are not decided and whose references have not expired; those of open pages are more. */
export const MAX_STORED_REQUESTS = 1_000

/** A request that is stored because it is too long for an address. */
interface StoredRequest {
  /** SHA-256 of its reference, base64url. */
  readonly hash: string
  readonly clientId: string
  /** The request, encrypted. */
  readonly sealed: string
}

/** Pushed requests that are too long for an address (RFC 9126 §2.2). They end, by the database's clock, with their pages. */
export interface StoredRequests {
  /** Adds a request. Returns `false`, with nothing changed, if its client has {@link MAX_STORED_REQUESTS}. Atomic. */
  add (request: StoredRequest): Promise<boolean>
  /** The encrypted request; `null` if it is unknown, removed or expired. */
  find (hash: string): Promise<string | null>
  remove (hash: string): Promise<void>
}

/** {@link StoredRequests} in a database. */
export function openPushedRequests (connection: Connection): StoredRequests {
  const [now, end] = [raw(databaseTime(connection)), raw(databaseTime(connection, FORM_TOKEN_TTL))]
  // A page that was opened in time can be used until its row ends, but its reference has expired long before.
  const expired = raw(databaseTime(connection, FORM_TOKEN_TTL - PUSHED_REQUEST_TTL))
  const lock = raw(connection.dialect === 'postgresql' ? 'FOR NO KEY UPDATE' : '')
  return {
    add: async ({ hash, clientId, sealed }) => await connection.transact(function * () {
      // The lock orders concurrent additions, and the next statement counts those before.
      yield * queryStep(connection, { id: 'string' }, sql`SELECT id FROM client WHERE id = ${clientId} ${lock}`)
      const added = yield * queryStep(connection, { hash: 'string' }, sql`
        INSERT INTO pushed_request (hash, client_id, sealed, ends_at) SELECT ${hash}, id, ${sealed}, ${end} FROM client
        WHERE id = ${clientId} AND (SELECT COUNT(*) FROM pushed_request WHERE client_id = ${clientId} AND ends_at > ${expired}) < ${MAX_STORED_REQUESTS}
        RETURNING hash`)
      return added.length === 1
    }),
    async find (hash) {
      const [found] = await query(connection, { sealed: 'string' }, sql`SELECT sealed FROM pushed_request WHERE hash = ${hash} AND ends_at > ${now}`)
      return found?.sealed ?? null
    },
    async remove (hash) { await query(connection, {}, sql`DELETE FROM pushed_request WHERE hash = ${hash}`) }
  }
}
