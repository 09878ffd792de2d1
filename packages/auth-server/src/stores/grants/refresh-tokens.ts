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
import { isLiveGrant } from '../access/live-grant.js'
import { createTokenRecord } from './issued-tokens.js'
import {
  FAMILY, refreshedColumns, useFamily, type Family, type PresentedToken, type RefreshTokenUse, type SpentToken, type TokenUse
} from './refresh-family.js'

const COLUMNS = pick(refreshToken, 'hash', 'grantId', 'clientId', 'userId', 'scope', 'audience', 'createdAt', 'expiresAt', 'endsAt')

/** The current refresh token of a family. */
export type RefreshToken = Row<typeof COLUMNS>

/** Opens the refresh tokens. Only hashes are stored. */
export function openRefreshTokens (connection: Connection) {
  const families = familyStatements(connection)
  const find = async (familyHash: string, condition: Sql): Promise<RefreshToken | null> => {
    const [found] = await query(connection, COLUMNS, sql`
      SELECT ${raw(columns(COLUMNS, 'refresh_token'))} FROM refresh_token WHERE family_hash = ${familyHash} AND ${condition}`)
    return found ?? null
  }
  const peeks = new Batcher(async (uses: RefreshTokenUse[]) => useAll(uses, await families.read.run(familyEntries(uses))).used, connection)
  const rotations = rotationBatch(connection, families.lock)
  return {
    /**
     * Atomic: uses and replaces the current token. For ten seconds, each use of the same token gets the same successor, on all
     * replicas. After that, as long as the successor is unused, it gets a new one: the client lost the response. Any other token of
     * the family counts as reuse. Changes nothing unless the result is `granted`.
     */
    rotate: (use: RefreshTokenUse) => rotations.run(use),
    /** Returns what `rotate` would, without using the token. */
    peek: (use: RefreshTokenUse) => peeks.run(use),
    /** The token; `null` unless it is current and unexpired, and its grant is live. */
    find: ({ hash, familyHash }: PresentedToken, now: Date) =>
      find(familyHash, sql`hash = ${hash} AND expires_at > ${now} AND ${raw(IS_USABLE)}`),
    /** The current token of the family; `null` if the family is unknown or has ended. */
    findFamily: ({ familyHash }: PresentedToken, now: Date) => find(familyHash, sql`ends_at > ${now} AND ${raw(IS_LIVE)}`)
  }
}

const IS_LIVE = isLiveGrant('refresh_token.grant_id')

/**
 * SQL condition that a family can be used: its grant is live, and its client session has not ended, unless it has `offline_access`
 * (OpenID Connect Back-Channel Logout §2.7).
 */
const IS_USABLE = `${IS_LIVE} AND (refresh_token.sid IS NULL OR ${liveClientSession('refresh_token')}
  OR ' ' || refresh_token.scope || ' ' LIKE '% ${OFFLINE_ACCESS.replace('_', '!_')} %' ESCAPE '!')`

/** The statements that read families, without and with a lock. */
function familyStatements (connection: Connection) {
  const select = (lock: string) => listStatement(connection, {
    entry: pick(refreshToken, 'familyHash'),
    sql: entries => `
      SELECT ${refreshedColumns(FAMILY, 'refresh_token', { isLive: IS_USABLE })}
      FROM ${entries} JOIN refresh_token ON refresh_token.family_hash = entry.family_hash ${lock}`,
    row: FAMILY
  })
  return { read: select(''), lock: select(lockInOrder(connection, 'refresh_token.family_hash', 'FOR NO KEY UPDATE OF refresh_token')) }
}

/** Rotates tokens in batches, each in a transaction. */
function rotationBatch (connection: Connection, locked: ReturnType<typeof familyStatements>['lock']): Batcher<RefreshTokenUse, TokenUse> {
  const changed = pick(refreshToken, 'hash', 'spent', 'dpopJkt', 'createdAt', 'expiresAt')
  const change = listStatement(connection, {
    entry: { ...pick(refreshToken, 'familyHash'), ...changed },
    sql: entries => `
      UPDATE refresh_token SET ${setColumns(changed)}
      FROM ${entries} WHERE refresh_token.family_hash = entry.family_hash`
  })
  const record = createTokenRecord(connection)
  function * steps (asked: readonly RefreshTokenUse[]): Steps<TokenUse[]> {
    const { used, changed } = useAll(asked, yield * locked.step(familyEntries(asked)))
    // A grant that was revoked after its family was read issues no token.
    const live = yield * record(used.flatMap((it, index) => it.state !== 'granted'
      ? []
      : [{ grantId: it.grantId, tokensEndAt: asked[index]!.tokensEndAt, grantEndsAt: null }]))
    const kept = changed.filter(({ grantId }) => live.has(grantId))
    yield * change.step(kept.map(family => ({ ...family, spent: JSON.stringify(family.spent) })))
    return used.map(it => it.state === 'granted' && !live.has(it.grantId) ? { state: 'unusable' } : it)
  }
  return new Batcher(async (asked, mode) => await connection.transact(() => steps(asked), mode), connection)
}

function familyEntries (asked: readonly RefreshTokenUse[]) {
  return [...new Set(asked.map(({ familyHash }) => familyHash))].map(familyHash => ({ familyHash }))
}

/** Applies uses one after the other. Returns their outcomes, and the changed families. */
function useAll (asked: readonly RefreshTokenUse[], rows: ReadonlyArray<Row<typeof FAMILY>>): { used: TokenUse[], changed: Family[] } {
  // as: only these statements write the column.
  const before = new Map(rows.map(row => [row.familyHash, { ...row, spent: JSON.parse(row.spent) as SpentToken[] }]))
  const after = new Map<string, Family>(before)
  const used = asked.map((it): TokenUse => {
    const found = after.get(it.familyHash)
    if (found === undefined) return { state: 'unusable' }
    const { used, family } = useFamily(found, it)
    after.set(it.familyHash, family)
    return used
  })
  return { used, changed: [...after.values()].filter(family => family !== before.get(family.familyHash)) }
}
