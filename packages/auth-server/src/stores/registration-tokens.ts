import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'

/** An initial access token (RFC 7591 §3), without the token. */
export interface RegistrationToken {
  /** Names it for operators; not a secret. */
  readonly id: string
  /** How many apps it can still register. */
  readonly usesLeft: number
  /** Grants that these apps may ask for. */
  readonly grantTypes: readonly string[]
  /** Space-separated scopes that these apps may ask for; `null`: any that a person allows, and none by client_credentials. */
  readonly allowedScope: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** The initial access tokens. Only hashes of them are stored: SHA-256, base64url, since they have 256 random bits. */
export interface RegistrationTokens {
  add (token: RegistrationToken & { readonly hash: string }): Promise<void>
  /** The token if it can register an app now; else `null`. */
  find (hash: string, now: Date): Promise<RegistrationToken | null>
  /** All of them, newest first. */
  list (): Promise<RegistrationToken[]>
  /** Removes a token. Returns `false` for an unknown id. */
  remove (id: string): Promise<boolean>
}

const COLUMNS = { id: 'string', usesLeft: 'int', grantTypes: 'string', allowedScope: 'string?', createdAt: 'datetime', expiresAt: 'datetime' } as const

/** {@link RegistrationTokens} in a database. */
export function openRegistrationTokens (connection: Connection): RegistrationTokens {
  const toToken = ({ grantTypes, ...fields }: { grantTypes: string } & Omit<RegistrationToken, 'grantTypes'>) =>
    ({ ...fields, grantTypes: grantTypes.split(' ') })
  return {
    async add ({ id, hash, usesLeft, grantTypes, allowedScope, createdAt, expiresAt }) {
      await query(connection, {}, sql`
        INSERT INTO registration_token (id, hash, uses_left, grant_types, allowed_scope, created_at, expires_at)
        VALUES (${id}, ${hash}, ${usesLeft}, ${grantTypes.join(' ')}, ${allowedScope}, ${createdAt}, ${expiresAt})`)
    },
    async find (hash, now) {
      const [found] = await query(connection, COLUMNS, sql`
        SELECT id, uses_left, grant_types, allowed_scope, created_at, expires_at FROM registration_token WHERE hash = ${hash} AND ${isLive(now)}`)
      return found === undefined ? null : toToken(found)
    },
    list: async () => (await query(connection, COLUMNS, sql`
      SELECT id, uses_left, grant_types, allowed_scope, created_at, expires_at FROM registration_token ORDER BY created_at DESC, id`)).map(toToken),
    async remove (id) {
      const removed = await query(connection, { id: 'string' }, sql`DELETE FROM registration_token WHERE id = ${id} RETURNING id`)
      return removed.length === 1
    }
  }
}

/** Atomic: spends a use of a token, as a step of the transaction that registers the app. Returns `false` if it has none. */
export function * spendToken (connection: Connection, hash: string, now: Date): Steps<boolean> {
  const spent = yield * queryStep(connection, { id: 'string' }, sql`
    UPDATE registration_token SET uses_left = uses_left - 1 WHERE hash = ${hash} AND ${isLive(now)} RETURNING id`)
  return spent.length === 1
}

function isLive (now: Date) {
  return sql`uses_left > 0 AND expires_at > ${now}`
}
