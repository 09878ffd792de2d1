import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import type { Client } from '../oauth/client.js'
import { removeHeld } from './client-access.js'
import type { ClientChange } from './clients.js'
import { createClientChanges } from './client-changes.js'
import { COLUMNS, columns, toClient, type NewClient } from './client-row.js'
import { createAccessEnd } from './end-access.js'
import { spendToken } from './registration-tokens.js'

/** An app that registers itself. Hashes are SHA-256, base64url. */
export interface Registration {
  readonly client: NewClient
  /** Of its registration access token. */
  readonly registrationHash: string
  /** Of its secret; `undefined`: it gets none. */
  readonly secretHash: string | undefined
  /** Of the initial access token; `undefined`: it needs none. */
  readonly tokenHash: string | undefined
}

/** What an app changes of its registration. */
export interface Replacement extends Pick<Registration, 'registrationHash' | 'secretHash'> {
  readonly clientId: string
  /** Of the registration access token before. */
  readonly before: string
  readonly change: Omit<ClientChange, 'logo'> & { readonly implicit?: 'off' }
  /** Whether it authenticates with a secret: if not, its secrets are removed. */
  readonly hasSecret: boolean
}

/** Apps that register themselves (RFC 7591), and manage their registration (RFC 7592) until an operator adopts or disables them. */
export interface Registrations {
  /**
   * Atomic: spends the initial access token and adds the app with its secret. Of concurrent callers with a single-use token
   * exactly one succeeds. Changes nothing if the token is `spent`, or `full`: about {@link MOST_OPEN} apps registered without one.
   */
  register (registration: Registration, now: Date): Promise<'registered' | 'spent' | 'full'>
  /** The app that the registration access token manages, never from a cache; `null`: none. */
  find (clientId: string, registrationHash: string): Promise<Client | null>
  /** Atomic: changes the app and its registration access token. Of concurrent callers with one token exactly one gets `true`. */
  replace (replacement: Replacement, now: Date): Promise<boolean>
  /** Atomic: removes the app, and revokes all its codes and tokens. Returns `false` if the token does not manage it. */
  remove (clientId: string, registrationHash: string): Promise<boolean>
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

/** The registration access token does not manage the app any more: rolls a removal back. */
class UnmanagedError extends Error {}

/** {@link Registrations} in a database. */
export function openRegistrations (connection: Connection): Registrations {
  const access = createAccessEnd(connection)
  const changes = createClientChanges(connection, access)
  const held = removeHeld(connection)
  const first = async (id: Sql) => (await query(connection, { id: 'string' }, id))[0]

  function * addSecret (clientId: string, hash: string | undefined, createdAt: Date): Steps<void> {
    if (hash === undefined) return
    yield * queryStep(connection, {}, sql`
      INSERT INTO client_secret (client_id, slot, hash, created_at) VALUES (${clientId}, 1, ${hash}, ${createdAt}) ON CONFLICT DO NOTHING`)
  }

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
    if (!(yield * isFull('document'))) {
      yield * changes.add({ id, ...lists, ...fields, grantTypes, accessTokenTtl, implicit: 'off', demo: false, registeredBy: 'document' })
    }
    const [kept] = yield * queryStep(connection, { id: 'string' }, sql`
      UPDATE client SET used_at = ${now} WHERE id = ${id} AND registered_by = 'document' AND disabled_at IS NULL RETURNING id`)
    if (kept === undefined) return false
    return yield * changes.change(id, { ...fields, grantTypes: grantTypes.join(' ') }, lists)
  }

  function * isFull (registeredBy: 'open' | 'document'): Steps<boolean> {
    const [last] = yield * queryStep(connection, { id: 'string' }, sql`
      SELECT id FROM client WHERE registered_by = ${registeredBy} LIMIT 1 OFFSET ${MOST_OPEN - 1}`)
    return last !== undefined
  }

  return {
    register: ({ client, registrationHash, secretHash, tokenHash }, now) =>
      connection.transact(function * (): Steps<'registered' | 'spent' | 'full'> {
        if (tokenHash === undefined) {
          if (yield * isFull('open')) return 'full'
        } else if (!(yield * spendToken(connection, tokenHash, now))) return 'spent'
        yield * changes.add({ ...client, registeredBy: tokenHash === undefined ? 'open' : 'token' }, registrationHash)
        yield * addSecret(client.id, secretHash, now)
        return 'registered'
      }),
    async find (clientId, registrationHash) {
      if (clientId.includes('\0')) return null
      const [found] = await query(connection, COLUMNS, sql`SELECT ${raw(columns)} FROM client WHERE ${isManagedBy(clientId, registrationHash)}`)
      return found === undefined ? null : toClient(found)
    },
    replace: ({ clientId, before, registrationHash, secretHash, change, hasSecret }, now) => connection.transact(function * () {
      const { callbacks, resources, postLogoutRedirectUris, grantTypes, ...fields } = change
      // Before all else: the row lock orders concurrent changes, and the hash lets one of them through.
      const [managed] = yield * queryStep(connection, { id: 'string' }, sql`
        UPDATE client SET registration_hash = ${registrationHash} WHERE ${isManagedBy(clientId, before)} RETURNING id`)
      if (managed === undefined) return false
      const lists = { callbacks, resources, postLogoutRedirectUris }
      yield * changes.change(clientId, { ...fields, ...(grantTypes && { grantTypes: grantTypes.join(' ') }) }, lists)
      if (!hasSecret) yield * queryStep(connection, {}, sql`DELETE FROM client_secret WHERE client_id = ${clientId}`)
      yield * addSecret(clientId, secretHash, now)
      return true
    }),
    async remove (clientId, registrationHash) {
      // Without a trace in the access epochs, which are kept for good: anyone can register apps and remove them.
      const unused = sql`DELETE FROM client WHERE ${isManagedBy(clientId, registrationHash)} AND registered_by = 'open' AND used_at IS NULL RETURNING id`
      if (await first(unused) !== undefined) return true
      if (await first(sql`SELECT id FROM client WHERE ${isManagedBy(clientId, registrationHash)}`) === undefined) return false
      try {
        await connection.transact(function * () {
          for (const rows of held) yield rows.query([[clientId]])
          const [removed] = yield * queryStep(connection, { id: 'string' }, sql`
            DELETE FROM client WHERE ${isManagedBy(clientId, registrationHash)} RETURNING id`)
          if (removed === undefined) throw new UnmanagedError()
          yield * access.steps([{ clientId }])
        })
        return true
      } catch (error) {
        if (error instanceof UnmanagedError) return false
        throw error
      }
    },
    async use (client, now) {
      const { id, usedAt, registeredBy } = client
      if (usedAt !== null && usedAt.getTime() > now.getTime() - DAY_MS) return true
      if (registeredBy === 'document') return await connection.transact(() => keepDocument(client, now))
      return await first(sql`UPDATE client SET used_at = ${now} WHERE id = ${id} AND disabled_at IS NULL RETURNING id`) !== undefined
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

/** Condition of a row: the app registered itself, and no operator has adopted or disabled it. */
function isManagedBy (clientId: string, hash: string): Sql {
  return sql`id = ${clientId} AND registration_hash = ${hash} AND registered_by IN ('token', 'open') AND disabled_at IS NULL`
}
