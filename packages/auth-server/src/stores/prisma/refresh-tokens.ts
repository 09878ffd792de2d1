import type { RefreshToken, RefreshTokens, RefreshTokenUse } from '../refresh-tokens.js'
import type { Database } from './database.js'
import type { Connection } from './generated/database/connect.js'
import { ListStatement } from './generated/database/list-statement.js'

const NOBODY = new Date(0)

/** {@link RefreshTokens} in a database. */
export function openRefreshTokens (database: Database, connection: Connection): RefreshTokens {
  const rotation = advance(connection, 'token.hash = attempt.column2')
  const replacement = advance(connection, 'token.parent_hash = attempt.column2 AND token.created_at >= attempt.column6 AND token.created_at <= attempt.column7')
  return {
    async add (token) { await database.refreshToken.create({ data: token }) },
    rotate: use => rotation(use, NOBODY, NOBODY),
    replace: replacement,
    async successor (hash, clientId) {
      const found = await database.refreshToken.findFirst({ where: { parentHash: hash, clientId } })
      return found === null ? null : { ...found, isSpent: await database.refreshToken.count({ where: { parentHash: found.hash } }) > 0 }
    },
    async find (hash, now) {
      const found = await database.refreshToken.findFirst({ where: { hash, expiresAt: { gt: now } } })
      if (found === null) return null
      const [spent, revoked] = await Promise.all([
        database.refreshToken.count({ where: { parentHash: hash } }), database.revocation.count({ where: { id: found.grantId } })
      ])
      return spent + revoked > 0 ? null : found
    },
    async findFamily (hash, now) {
      const found = await database.refreshToken.findFirst({ where: { hash, endsAt: { gt: now } } })
      return found === null || await database.revocation.count({ where: { id: found.grantId } }) > 0 ? null : found
    },
    async sweep (now, limit) {
      return (await database.refreshToken.deleteMany({ where: { expiresAt: { lte: now } }, limit })).count
    }
  }
}

/** Puts a token in the place of another. The unique parent decides: asking first and adding after would let two callers through. */
function advance (connection: Connection, which: string): (use: RefreshTokenUse, from: Date, until: Date) => Promise<RefreshToken | null> {
  const statement = new ListStatement(connection, list => `
    INSERT INTO refresh_token (hash, parent_hash, grant_id, client_id, user_id, scope, audience, auth_time, created_at, expires_at, ends_at)
    SELECT attempt.column1, token.hash, grant_id, client_id, user_id, scope, audience, auth_time, attempt.column4,
      CASE WHEN attempt.column5 < ends_at THEN attempt.column5 ELSE ends_at END, ends_at
    FROM (${list}) AS attempt JOIN refresh_token AS token ON ${which}
    WHERE client_id = attempt.column3 AND expires_at > attempt.column4
      AND NOT EXISTS (SELECT 1 FROM revocation WHERE revocation.id = grant_id)
      AND EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_id AND disabled_at IS NULL)
    ON CONFLICT DO NOTHING RETURNING grant_id, user_id, scope, audience, auth_time, expires_at, ends_at`,
  ['string', 'string', 'string', 'datetime', 'datetime', 'datetime', 'datetime'])

  return async ({ hash, clientId, next, expiresAt, now }, from, until) => {
    // as: these columns; the driver gives times as text.
    const [row] = await statement.run([[next, hash, clientId, now, expiresAt, from, until]]) as Array<[string, string, string, string, string, string, string]>
    if (row === undefined) return null
    const [grantId, userId, scope, audience, authTime, end, endsAt] = row
    return { hash: next, grantId, clientId, userId, scope, audience, authTime: new Date(authTime), createdAt: now, expiresAt: new Date(end), endsAt: new Date(endsAt) }
  }
}
