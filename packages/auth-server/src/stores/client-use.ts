import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import type { Client } from '../oauth/client.js'
import type { ClientChanges } from './client-changes.js'

/** Which of the apps that registered themselves people use. */
export interface ClientUse {
  /**
   * Records that a person allows the app access, once a day, and stores an app that a document describes. Returns `false` if
   * it was disabled or removed meanwhile, or there are about {@link MOST_OPEN} such apps.
   */
  use (client: Client, now: Date): Promise<boolean>
  /** Removes up to `limit` apps that registered without a token and are not used. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** Most apps that registered without a token: anyone can add one. */
export const MOST_OPEN = 10_000

const DAY_MS = 24 * 60 * 60_000

/** How long an app is kept that no person ever allowed access, in days. */
const KEEP_UNUSED = 1

/** How long an app is kept after a person last allowed it access, in days: longer than any refresh token lives. */
const KEEP_USED = 400

/** Most apps that a sweep removes: each removal looks through all codes and refresh tokens. */
const SWEPT = 20

/** {@link ClientUse} in a database. */
export function openClientUse (connection: Connection, changes: ClientChanges): ClientUse {
  /** Adds the app, or updates its row, unless an operator has adopted or disabled it. */
  function * keepDocument (client: Client, now: Date): Steps<boolean> {
    const { id, name, callbacks, resources, postLogoutRedirectUris, defaultScope, grantTypes, accessTokenTtl } = client
    const { tokenEndpointAuthMethod, jwks, native, idTokenSignedResponseAlg, dpopBoundAccessTokens } = client
    const { backchannelLogoutUri, backchannelLogoutSessionRequired } = client
    const lists = { callbacks, resources, postLogoutRedirectUris }
    const fields = {
      name,
      defaultScope,
      tokenEndpointAuthMethod,
      jwks,
      native,
      idTokenSignedResponseAlg,
      dpopBoundAccessTokens,
      backchannelLogoutUri,
      backchannelLogoutSessionRequired
    }
    if (!(yield * isFull(connection, 'document'))) {
      yield * changes.add({ id, ...lists, ...fields, grantTypes, accessTokenTtl, implicit: 'off', demo: false, registeredBy: 'document' })
    }
    const [kept] = yield * queryStep(connection, { id: 'string' }, sql`
      UPDATE client SET used_at = ${now} WHERE id = ${id} AND registered_by = 'document' AND disabled_at IS NULL RETURNING id`)
    if (kept === undefined) return false
    return yield * changes.change(id, { ...fields, grantTypes: grantTypes.join(' ') }, lists)
  }

  return {
    async use (client, now) {
      const { id, usedAt, registeredBy } = client
      if (usedAt !== null && usedAt.getTime() > now.getTime() - DAY_MS) return true
      if (registeredBy === 'document') return await connection.transact(() => keepDocument(client, now))
      const used = await query(connection, { id: 'string' }, sql`
        UPDATE client SET used_at = ${now} WHERE id = ${id} AND disabled_at IS NULL RETURNING id`)
      return used.length === 1
    },
    async sweep (now, limit) {
      const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
      const isIdle = sql`registered_by IN ('open', 'document') AND (used_at <= ${before(KEEP_USED)} OR (used_at IS NULL AND created_at <= ${before(KEEP_UNUSED)}))`
      // Twice: PostgreSQL checks only the outer condition again for a row that was used meanwhile.
      const swept = await query(connection, { id: 'string' }, sql`
        DELETE FROM client WHERE id IN (SELECT id FROM client WHERE ${isIdle} LIMIT ${Math.min(limit, SWEPT)}) AND ${isIdle} RETURNING id`)
      return swept.length
    }
  }
}

/** Whether about {@link MOST_OPEN} apps have registered in this way. */
export function * isFull (connection: Connection, registeredBy: 'open' | 'document'): Steps<boolean> {
  const [last] = yield * queryStep(connection, { id: 'string' }, sql`
    SELECT id FROM client WHERE registered_by = ${registeredBy} LIMIT 1 OFFSET ${MOST_OPEN - 1}`)
  return last !== undefined
}
