import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import type { Row } from '@frontdesk/database/rows'
import { query, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columns, pick, setColumns } from '@frontdesk/database/table'
import { refreshToken } from '../../generated/tables.js'
import { OFFLINE_ACCESS } from '../../oauth/openid-scopes.js'
import { liveClientSession } from '../access/client-session-end.js'
import { liveGrant } from '../access/live-grant.js'
import { recordIssuedTokens } from './issued-tokens.js'
import { FAMILY, refreshedColumns, useFamily, type Family, type PresentedToken, type RefreshTokenUse, type SpentToken, type Used } from './refresh-family.js'

/** The columns of {@link RefreshToken}. */
const COLUMNS = pick(refreshToken, 'hash', 'grantId', 'clientId', 'userId', 'scope', 'audience', 'createdAt', 'expiresAt', 'endsAt')

/** The current refresh token of a family. */
export type RefreshToken = Row<typeof COLUMNS>

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
}

/** {@link RefreshTokens} in a database. */
export function openRefreshTokens (connection: Connection): RefreshTokens {
  const families = readFamilies(connection)
  const find = async (familyHash: string, condition: Sql) => {
    const [found] = await query(connection, COLUMNS, sql`
      SELECT ${raw(columns(COLUMNS, 'refresh_token'))} FROM refresh_token WHERE family_hash = ${familyHash} AND ${condition}`)
    return found ?? null
  }
  const peeks = new Batcher(async (asked: RefreshTokenUse[]) => useAll(asked, await families.read.run(familiesOf(asked))).used, connection)
  const rotations = rotateAll(connection, families.lock)
  return {
    rotate: use => rotations.run(use),
    peek: use => peeks.run(use),
    find: ({ hash, familyHash }, now) => find(familyHash, sql`hash = ${hash} AND expires_at > ${now} AND ${raw(IS_USABLE)}`),
    findFamily: ({ familyHash }, now) => find(familyHash, sql`ends_at > ${now} AND ${raw(IS_LIVE)}`)
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

/** The statements that read families, and lock them. */
function readFamilies (connection: Connection) {
  const select = (lock: string) => listStatement(connection, {
    entry: pick(refreshToken, 'familyHash'),
    sql: entries => `
      SELECT ${refreshedColumns(FAMILY, 'refresh_token', { isLive: IS_USABLE })}
      FROM ${entries} JOIN refresh_token ON refresh_token.family_hash = entry.family_hash ${lock}`,
    row: FAMILY
  })
  return { read: select(''), lock: select(lockInOrder(connection, 'refresh_token.family_hash', 'FOR NO KEY UPDATE OF refresh_token')) }
}

/** Rotates in batches, each in a transaction. */
function rotateAll (connection: Connection, locked: ReturnType<typeof readFamilies>['lock']): Batcher<RefreshTokenUse, Used> {
  const changed = pick(refreshToken, 'hash', 'spent', 'dpopJkt', 'createdAt', 'expiresAt')
  const change = listStatement(connection, {
    entry: { ...pick(refreshToken, 'familyHash'), ...changed },
    sql: entries => `
      UPDATE refresh_token SET ${setColumns(changed)}
      FROM ${entries} WHERE refresh_token.family_hash = entry.family_hash`
  })
  const record = recordIssuedTokens(connection)
  function * steps (asked: readonly RefreshTokenUse[]): Steps<Used[]> {
    const { used, changed } = useAll(asked, yield * locked.step(familiesOf(asked)))
    // Of a grant that was revoked since its family was read, no token is given.
    const live = yield * record(used.flatMap((it, index) => it.state !== 'granted'
      ? []
      : [{ grantId: it.grantId, tokensEndAt: asked[index]!.tokensEndAt, grantEndsAt: null }]))
    const kept = changed.filter(({ grantId }) => live.has(grantId))
    yield * change.step(kept.map(family => ({ ...family, spent: JSON.stringify(family.spent) })))
    return used.map(it => it.state === 'granted' && !live.has(it.grantId) ? { state: 'unusable' } : it)
  }
  return new Batcher(async (asked, mode) => await connection.transact(() => steps(asked), mode), connection)
}

function familiesOf (asked: readonly RefreshTokenUse[]) {
  return [...new Set(asked.map(({ familyHash }) => familyHash))].map(familyHash => ({ familyHash }))
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
