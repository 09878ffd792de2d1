import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, query, queryStep, raw, sql } from '@frontdesk/database/sql'
import { FORM_TOKEN_TTL, PUSHED_REQUEST_TTL } from '../../lifetimes.js'

/** Maximum stored requests of a client with a reference that has not expired. Requests of open consent pages do not count. */
export const MAX_STORED_REQUESTS = 1_000

interface StoredRequest {
  /** SHA-256 of its reference, base64url. */
  readonly hash: string
  readonly clientId: string
  /** The request, encrypted. */
  readonly sealed: string
}

/** Pushed requests that are too long for a URL (RFC 9126 §2.2). They expire with their consent pages, by the database's clock. */
export interface StoredRequests {
  /** Atomic: adds a request. Returns `false`, with nothing changed, if its client has {@link MAX_STORED_REQUESTS}. */
  add (request: StoredRequest): Promise<boolean>
  /** The encrypted request; `null` if it is unknown, removed or expired. */
  find (hash: string): Promise<string | null>
  remove (hash: string): Promise<void>
}

export function openPushedRequests (connection: Connection): StoredRequests {
  const [now, end] = [raw(databaseTime(connection)), raw(databaseTime(connection, FORM_TOKEN_TTL))]
  // An open page can be used until its row expires; its reference expires long before.
  const expired = raw(databaseTime(connection, FORM_TOKEN_TTL - PUSHED_REQUEST_TTL))
  const lock = raw(connection.dialect === 'postgresql' ? 'FOR NO KEY UPDATE' : '')
  return {
    add: async ({ hash, clientId, sealed }) => await connection.transact(function * () {
      // The lock serializes additions, so that the next statement counts all earlier ones.
      yield * queryStep(connection, { id: 'string' }, sql`SELECT id FROM client WHERE id = ${clientId} ${lock}`)
      const added = yield * executeStep(connection, sql`
        INSERT INTO pushed_request (hash, client_id, sealed, ends_at) SELECT ${hash}, id, ${sealed}, ${end} FROM client
        WHERE id = ${clientId}
          AND (SELECT COUNT(*) FROM pushed_request WHERE client_id = ${clientId} AND ends_at > ${expired}) < ${MAX_STORED_REQUESTS}`)
      return added === 1
    }),
    async find (hash) {
      const [found] = await query(connection, { sealed: 'string' }, sql`
        SELECT sealed FROM pushed_request WHERE hash = ${hash} AND ends_at > ${now}`)
      return found?.sealed ?? null
    },
    async remove (hash) { await query(connection, {}, sql`DELETE FROM pushed_request WHERE hash = ${hash}`) }
  }
}
