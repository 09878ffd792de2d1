import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import type { Row } from '@frontdesk/database/rows'
import { sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { OFFLINE_ACCESS } from '../oauth/openid-scopes.js'
import { liveClientSession } from './client-session-end.js'
import { recordIssuedTokens } from './issued-tokens.js'
import { liveGrant, notBefore, withheld } from './live-grant.js'
import { REFRESHED, useFamily, type Family, type PresentedToken, type RefreshTokenUse, type SpentToken, type Used } from './refresh-family.js'
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

/** The refresh tokens. Only hashes are stored. */
export interface RefreshTokens {
  /**
   * Atomic: uses a token. The current one is replaced. Within ten seconds of that every use of it has
   * the same successor, also on other replicas; later, it is replaced by another one as long as the successor is unused: the
   * client did not get that response. Any other token of the family is reused. Changes nothing unless it is granted.
   */
  rotate (use: RefreshTokenUse): Promise<Used>
  /** What `rotate` would return now, without the use. */
  peek (use: RefreshTokenUse): Promise<Used>
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
  const families = readFamilies(connection)
  const search = (condition: string) => new ValuesStatement(connection, list => `
    SELECT hash, grant_id, client_id, user_id, scope, audience, created_at, expires_at, ends_at
    FROM refresh_token JOIN (${list}) AS asked ON family_hash = column1 AND ${condition}`, ['string', 'string', 'datetime'], COLUMNS)
  const current = search(`hash = column2 AND expires_at > column3 AND ${IS_USABLE}`)
  const family = search(`ends_at > column3 AND ${IS_LIVE}`)
  const peeks = new Batch(async (asked: RefreshTokenUse[]) => useAll(asked, await families.read.run(familiesOf(asked))).used, connection)
  const rotations = rotateAll(connection, families.lock)
  return {
    rotate: use => rotations.ask(use),
    peek: use => peeks.ask(use),
    find: async ({ hash, familyHash }, now) => (await current.run([[familyHash, hash, now]]))[0] ?? null,
    findFamily: async ({ hash, familyHash }, now) => (await family.run([[familyHash, hash, now]]))[0] ?? null,
    sweep: (now, limit) => sweepRows(connection, { table: 'refresh_token', key: 'family_hash', where: sql`expires_at <= ${now}` }, limit)
  }
}

/** SQL condition that the grant of a family is live. */
const IS_LIVE = `EXISTS (SELECT 1 FROM access_grant AS given WHERE given.id = refresh_token.grant_id AND ${liveGrant('given')})`

/**
 * SQL condition that a family may be used: its grant is live, and so is the session at an app that gets logout tokens, unless the
 * person allowed it access beyond (OpenID Connect Back-Channel Logout §2.7).
 */
const IS_USABLE = `${IS_LIVE} AND (refresh_token.sid IS NULL OR ${liveClientSession('refresh_token')}
  OR ' ' || refresh_token.scope || ' ' LIKE '% ${OFFLINE_ACCESS.replace('_', '!_')} %' ESCAPE '!')`

/** The columns of a {@link Family}. */
const FAMILY = {
  familyHash: 'string',
  hash: 'string',
  spent: 'string',
  clientId: 'string',
  dpopJkt: 'string?',
  createdAt: 'datetime',
  expiresAt: 'datetime',
  endsAt: 'datetime',
  isLive: 'boolean',
  ...REFRESHED
} as const

/** The statements that read families, and lock them. */
function readFamilies (connection: Connection) {
  const select = (lock: string) => new ValuesStatement(connection, list => `
    SELECT family_hash, hash, spent, refresh_token.client_id, dpop_jkt, created_at, expires_at, ends_at, ${IS_USABLE},
      grant_id, user_id, scope, audience, auth_time, ${notBefore('refresh_token.user_id', 'refresh_token.client_id')},
      ${withheld('refresh_token.user_id')}, refresh_token.sid
    FROM (${list}) AS asked JOIN refresh_token ON family_hash = column1 ${lock}`, ['string'], FAMILY)
  return { read: select(''), lock: select(lockInOrder(connection, 'family_hash', 'FOR NO KEY UPDATE OF refresh_token')) }
}

/** Rotates in batches, each in a transaction. */
function rotateAll (connection: Connection, locked: ReturnType<typeof readFamilies>['lock']): Batch<RefreshTokenUse, Used> {
  const change = new ValuesStatement(connection, list => `
    UPDATE refresh_token SET hash = column2, spent = column3, dpop_jkt = column4, created_at = column5, expires_at = column6
    FROM (${list}) AS used WHERE family_hash = column1`, ['string', 'string', 'string', 'string', 'datetime', 'datetime'])
  const record = recordIssuedTokens(connection)
  function * steps (asked: readonly RefreshTokenUse[]): Steps<Used[]> {
    const { used, changed } = useAll(asked, yield * locked.step(familiesOf(asked)))
    // Of a grant that was revoked since its family was read, no token is given.
    const live = yield * record(used.flatMap((it, index) => it.state !== 'granted'
      ? []
      : [{ grantId: it.grantId, tokensEndAt: asked[index]!.tokensEndAt, grantEndsAt: null }]))
    const kept = changed.filter(({ grantId }) => live.has(grantId))
    if (kept.length > 0) {
      yield change.query(kept.map(({ familyHash, hash, spent, dpopJkt, createdAt, expiresAt }) =>
        [familyHash, hash, JSON.stringify(spent), dpopJkt, createdAt, expiresAt]))
    }
    return used.map(it => it.state === 'granted' && !live.has(it.grantId) ? { state: 'unusable' } : it)
  }
  return new Batch(async (asked, mode) => await connection.transact(() => steps(asked), mode), connection)
}

function familiesOf (asked: readonly RefreshTokenUse[]): string[][] {
  return [...new Set(asked.map(({ familyHash }) => familyHash))].map(familyHash => [familyHash])
}

/** What uses come to, one after the other, and the families that they change. */
function useAll (asked: readonly RefreshTokenUse[], rows: ReadonlyArray<Row<typeof FAMILY>>): { used: Used[], changed: Family[] } {
  // as: only these statements write the column.
  const before = new Map(rows.map(row => [row.familyHash, { ...row, spent: JSON.parse(row.spent) as SpentToken[] }]))
  const after = new Map<string, Family>(before)
  const used = asked.map((it): Used => {
    const found = after.get(it.familyHash)
    if (found === undefined) return { state: 'unusable' }
    const { used, family } = useFamily(found, it)
    after.set(it.familyHash, family)
    return used
  })
  return { used, changed: [...after.values()].filter(family => family !== before.get(family.familyHash)) }
}
