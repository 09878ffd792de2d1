import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { lockingList } from '@frontdesk/database/lock-order'
import { sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
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
  peek (use: Pick<RefreshTokenUse, 'hash' | 'clientId' | 'jkt' | 'now'>): Promise<Pick<Refreshed, 'scope' | 'audience'> | null>
  /** Reuse detection: the family of a token that is neither current nor previous; `null` if it is one of these, or unknown. */
  findReused (token: PresentedToken, clientId: string, now: Date): Promise<Pick<RefreshToken, 'grantId' | 'endsAt'> | null>
  /** The token, if it is current, unexpired and its grant is live; else `null`. */
  find (hash: string, now: Date): Promise<RefreshToken | null>
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

/** SQL condition that a row holds the current token of its family: replicas of the previous release add children. */
const isLast = (row: string) => `NOT EXISTS (SELECT 1 FROM refresh_token AS child WHERE child.parent_hash = ${row}.hash)`

/** SQL condition that the grant of a row is live. */
const isLive = (row: string) => `EXISTS (SELECT 1 FROM access_grant AS given WHERE given.id = ${row}.grant_id AND ${liveGrant('given')})`

/** {@link RefreshTokens} in a database. */
export function openRefreshTokens (connection: Connection): RefreshTokens {
  const rotate = createRotation(connection)
  const search = (condition: string) => new ValuesStatement(connection, list => `
    SELECT hash, grant_id, client_id, user_id, scope, audience, created_at, expires_at, ends_at
    FROM refresh_token AS token JOIN (${list}) AS asked ON ${condition}
    ORDER BY created_at DESC LIMIT 1`, ['string', 'string', 'datetime', 'string'], COLUMNS)
  // A token of the previous release is the prefix of all later tokens of its family.
  const isOfFamily =
    '(token.hash IN (column1, column2) OR token.parent_hash = column1 OR token.family_hash = column2) AND token.ends_at > column3'
  const current = search(`token.hash = column1 AND token.expires_at > column3 AND ${isLast('token')} AND ${isLive('token')}`)
  const family = search(`${isOfFamily} AND ${isLive('token')}`)
  const reused = search(`${isOfFamily} AND token.client_id = column4 AND NOT EXISTS (SELECT 1 FROM refresh_token AS usable
    WHERE (usable.hash = column1 OR usable.parent_hash = column1) AND usable.expires_at > usable.created_at AND ${isLast('usable')})`)
  return {
    rotate,
    peek: peekAll(connection),
    findReused: async ({ hash, familyHash }, clientId, now) => (await reused.run([[hash, familyHash, now, clientId]]))[0] ?? null,
    find: async (hash, now) => (await current.run([[hash, '', now, '']]))[0] ?? null,
    findFamily: async ({ hash, familyHash }, now) => (await family.run([[hash, familyHash, now, '']]))[0] ?? null,
    async sweep (now, limit) {
      // Spent tokens of the previous release are kept as long as their family, to detect reuse.
      const where = sql`ends_at <= ${now} OR (expires_at <= ${now} AND expires_at > created_at AND family_hash IS NOT NULL)`
      return await sweepRows(connection, { table: 'refresh_token', key: 'hash', where }, limit)
    }
  }
}

/** SQL condition that a row holds `column2`, as its current token or the one before. */
const IS_PRESENTED = '(refresh_token.hash = column2 OR refresh_token.parent_hash = column2)'

/** SQL condition that a row may be rotated for an entry of the list: a token, a client, the time and a key from `column2` on. */
const MAY_ROTATE = `${IS_PRESENTED} AND client_id = column3 AND expires_at > column4 AND (dpop_jkt IS NULL OR dpop_jkt = column5)
  AND ${isLast('refresh_token')} AND ${isLive('refresh_token')}`

/** Peeks in batches. */
function peekAll (connection: Connection): RefreshTokens['peek'] {
  const statement = new ValuesStatement(connection, list => `
    SELECT column1, scope, audience FROM (${list}) AS attempt JOIN refresh_token ON ${MAY_ROTATE}`,
  ['string', 'string', 'string', 'datetime', 'string'], { key: 'string', scope: 'string', audience: 'string' })
  const peeks = new Batch(async (asked: Array<Pick<RefreshTokenUse, 'hash' | 'clientId' | 'jkt' | 'now'>>) => {
    const rows = await statement.run(asked.map(({ hash, clientId, jkt = null, now }, index) => [`${index}`, hash, clientId, now, jkt]))
    const found = new Map(rows.map(({ key, ...row }) => [key, row]))
    return asked.map((_, index) => found.get(`${index}`) ?? null)
  }, connection)
  return use => peeks.ask(use)
}

/** Rotates in batches, each in a transaction. */
function createRotation (connection: Connection): RefreshTokens['rotate'] {
  const replacement = new ValuesStatement(connection, list => `
    UPDATE refresh_token SET hash = COALESCE(column1, refresh_token.hash), parent_hash = CASE WHEN column1 IS NULL THEN parent_hash ELSE column2 END,
      family_hash = COALESCE(family_hash, refresh_token.hash), created_at = column4,
      dpop_jkt = COALESCE(dpop_jkt, column5), expires_at = CASE WHEN column6 < ends_at THEN column6 ELSE ends_at END
    FROM (${lockingList(connection, list, { table: 'refresh_token', key: 'hash', on: IS_PRESENTED })}) AS attempt
    WHERE ${MAY_ROTATE} AND (column1 IS NOT NULL OR refresh_token.hash = column2)
    RETURNING hash, grant_id, user_id, scope, audience, auth_time, ${notBefore('refresh_token.user_id', 'refresh_token.client_id')},
      ${withheld('refresh_token.user_id')}, refresh_token.sid`,
  ['string', 'string', 'string', 'datetime', 'string', 'datetime'], { hash: 'string', ...REFRESHED })
  // Rows of the previous release: this row is the child that makes them spent.
  const end = new ValuesStatement(connection, list => `
    UPDATE refresh_token SET expires_at = created_at FROM (${list}) AS replaced
    WHERE grant_id = column1 AND hash <> column2 AND expires_at > created_at`, ['string', 'string'])

  /** The answers by the hash of the token that is current then, since a row may be asked for by more than one. */
  function * steps (asked: readonly RefreshTokenUse[]): Steps<Map<string, Refreshed>> {
    const rows = yield * replacement.step(
      asked.map(({ next, hash, clientId, jkt = null, now, expiresAt }) => [next, hash, clientId, now, jkt, expiresAt])
    )
    if (rows.length > 0) yield end.query(rows.map(({ grantId, hash }) => [grantId, hash]))
    return new Map(rows.map(row => [row.hash, row]))
  }

  const rotations = new Batch(async (asked: RefreshTokenUse[], mode) => {
    const rotate = () => connection.transact(() => steps(asked), mode)
    const granted = await rotate().catch(error => {
      // A replica of the previous release has added the child of a token concurrently.
      if (error instanceof Error && 'code' in error && error.code === '23505') return rotate()
      throw error
    })
    return asked.map(({ next, hash }) => granted.get(next ?? hash) ?? null)
  }, { concurrency: connection.concurrency, keyOf: ({ familyHash }) => familyHash })
  return use => rotations.ask(use)
}
