import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { lockingList } from '@frontdesk/database/lock-order'
import { sql } from '@frontdesk/database/sql'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { liveGrant, notBefore, withheld } from './live-grant.js'
import { sweepRows } from './sweep.js'

/** The current refresh token of a family. */
export interface RefreshToken {
  /** SHA-256 of the token, base64url. */
  readonly hash: string
  /** The access grant that it belongs to: its family. */
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  /** Space-separated. */
  readonly scope: string
  readonly audience: string
  readonly createdAt: Date
  /** Idle expiry. */
  readonly expiresAt: Date
  /** Absolute expiry of its family. */
  readonly endsAt: Date
}

/** A token as a client presents it: SHA-256 of the token, and of the prefix that its family shares. */
export interface PresentedToken {
  readonly hash: string
  readonly familyHash: string
}

/** The use of a refresh token. */
export interface RefreshTokenUse extends PresentedToken {
  readonly clientId: string
  /** Thumbprint of the key that a public client has proven, which binds the family from now on (RFC 9449 §5); `undefined`: none. */
  readonly jkt?: string | undefined
  /** Hash of the token that replaces it; `null`: it stays the current one. */
  readonly next: string | null
  /** Idle expiry of the next token; no later than its family. */
  readonly expiresAt: Date
  readonly now: Date
}

/** The access that a refresh token carries. */
export interface Refreshed {
  readonly grantId: string
  readonly userId: string
  /** Space-separated. */
  readonly scope: string
  readonly audience: string
  readonly authTime: Date
  /** Earliest `iat` of access tokens; `null`: any. */
  readonly notBefore: Date | null
  /** Scopes that the person may not grant now, space-separated; `null`: none. */
  readonly withheld: string | null
  /** `sid` of its ID tokens, of an app that gets logout tokens; `null`: none. */
  readonly sid: string | null
}

/** The columns of {@link Refreshed}. */
export const REFRESHED = {
  grantId: 'string',
  userId: 'string',
  scope: 'string',
  audience: 'string',
  authTime: 'datetime',
  notBefore: 'datetime?',
  withheld: 'string?',
  sid: 'string?'
} as const

/** The refresh tokens: of each family the current and the previous one. Only hashes are stored. */
export interface RefreshTokens {
  /**
   * Atomic: rotates the current token of a family. Accepts the current token, or the previous one while its successor is
   * unused: the client did not get that answer. Returns `null`, with nothing changed, for any other token, another client, an
   * expired token, another key or a grant that is not live. After concurrent uses exactly one token is current.
   */
  rotate (use: RefreshTokenUse): Promise<Refreshed | null>
  /** What `rotate` would return now, without the rotation: the scope and audience of a family never change. */
  peek (use: Omit<RefreshTokenUse, 'next' | 'expiresAt'>): Promise<Pick<Refreshed, 'scope' | 'audience'> | null>
  /** Reuse detection: the family of a token that is neither current nor previous; `null` if it is one of these, or unknown. */
  findReused (token: PresentedToken, clientId: string, now: Date): Promise<Pick<RefreshToken, 'grantId' | 'endsAt'> | null>
  /** The token, if it is current, unexpired and its grant is live; else `null`. */
  find (token: PresentedToken, now: Date): Promise<RefreshToken | null>
  /** A token of the same family, current or not; `null` if it is unknown or its family has expired. */
  findFamily (token: PresentedToken, now: Date): Promise<RefreshToken | null>
  /** Removes up to `limit` expired tokens. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** The columns of {@link RefreshToken}. */
const COLUMNS = {
  hash: 'string',
  grantId: 'string',
  clientId: 'string',
  userId: 'string',
  scope: 'string',
  audience: 'string',
  createdAt: 'datetime',
  expiresAt: 'datetime',
  endsAt: 'datetime'
} as const

/** {@link RefreshTokens} in a database. */
export function openRefreshTokens (connection: Connection): RefreshTokens {
  const rotate = createRotation(connection)
  const search = (condition: string) => new ValuesStatement(connection, list => `
    SELECT hash, grant_id, client_id, user_id, scope, audience, created_at, expires_at, ends_at
    FROM refresh_token JOIN (${list}) AS asked ON family_hash = column1 AND ${condition}`, ['string', 'string', 'datetime', 'string'], COLUMNS)
  const current = search(`hash = column2 AND expires_at > column3 AND ${IS_LIVE}`)
  const family = search(`ends_at > column3 AND ${IS_LIVE}`)
  const reused = search('ends_at > column3 AND client_id = column4 AND hash <> column2 AND (previous_hash IS NULL OR previous_hash <> column2)')
  return {
    rotate,
    peek: peekAll(connection),
    findReused: async ({ hash, familyHash }, clientId, now) => (await reused.run([[familyHash, hash, now, clientId]]))[0] ?? null,
    find: async ({ hash, familyHash }, now) => (await current.run([[familyHash, hash, now, '']]))[0] ?? null,
    findFamily: async ({ hash, familyHash }, now) => (await family.run([[familyHash, hash, now, '']]))[0] ?? null,
    sweep: (now, limit) => sweepRows(connection, { table: 'refresh_token', key: 'family_hash', where: sql`expires_at <= ${now}` }, limit)
  }
}

/** SQL condition that the grant of a family is live. */
const IS_LIVE = `EXISTS (SELECT 1 FROM access_grant AS given WHERE given.id = refresh_token.grant_id AND ${liveGrant('given')})`

/** SQL condition that a family may be rotated for an entry of the list: its hash, that of a token, a client, the time and a key. */
const MAY_ROTATE = `family_hash = column1 AND column2 IN (refresh_token.hash, previous_hash) AND client_id = column3 AND expires_at > column4
  AND (dpop_jkt IS NULL OR dpop_jkt = column5) AND ${IS_LIVE}`

/** Peeks in batches. */
function peekAll (connection: Connection): RefreshTokens['peek'] {
  const statement = new ValuesStatement(connection, list => `
    SELECT column6, scope, audience FROM (${list}) AS attempt JOIN refresh_token ON ${MAY_ROTATE}`,
  ['string', 'string', 'string', 'datetime', 'string', 'int'], { index: 'int', scope: 'string', audience: 'string' })
  const peeks = new Batch(async (asked: Array<Omit<RefreshTokenUse, 'next' | 'expiresAt'>>) => {
    const rows = await statement.run(
      asked.map(({ hash, familyHash, clientId, jkt = null, now }, index) => [familyHash, hash, clientId, now, jkt, index])
    )
    const found = new Map(rows.map(({ index, ...row }) => [index, row]))
    return asked.map((_, index) => found.get(index) ?? null)
  }, connection)
  return use => peeks.ask(use)
}

/** Rotates in batches. */
function createRotation (connection: Connection): RefreshTokens['rotate'] {
  const rotation = new ValuesStatement(connection, list => `
    UPDATE refresh_token SET hash = COALESCE(column6, refresh_token.hash),
      previous_hash = CASE WHEN column6 IS NULL THEN previous_hash ELSE column2 END, created_at = column4,
      dpop_jkt = COALESCE(dpop_jkt, column5), expires_at = CASE WHEN column7 < ends_at THEN column7 ELSE ends_at END
    FROM (${lockingList(connection, list, { table: 'refresh_token', key: 'family_hash', on: 'family_hash = column1' })}) AS attempt
    WHERE ${MAY_ROTATE} AND (column6 IS NOT NULL OR refresh_token.hash = column2)
    RETURNING family_hash, grant_id, user_id, scope, audience, auth_time, ${notBefore('refresh_token.user_id', 'refresh_token.client_id')},
      ${withheld('refresh_token.user_id')}, refresh_token.sid`,
  ['string', 'string', 'string', 'datetime', 'string', 'string', 'datetime'], { familyHash: 'string', ...REFRESHED })
  const rotations = new Batch(async (asked: RefreshTokenUse[], mode) => {
    // A transaction: one that others wait for gives up a locked row.
    const rows = await connection.transact(() => rotation.step(asked.map(
      ({ familyHash, hash, clientId, now, jkt = null, next, expiresAt }) => [familyHash, hash, clientId, now, jkt, next, expiresAt]
    )), mode)
    const granted = new Map(rows.map(row => [row.familyHash, row]))
    return asked.map(({ familyHash }) => granted.get(familyHash) ?? null)
  }, { concurrency: connection.concurrency, keyOf: ({ familyHash }) => familyHash })
  return use => rotations.ask(use)
}
