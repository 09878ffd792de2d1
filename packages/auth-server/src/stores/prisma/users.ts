import { TOKEN_TTL } from '../../config/lifetimes.js'
import type { User, Users } from '../users.js'
import type { Database } from './database.js'
import { Batch } from './generated/database/batch.js'
import type { Connection } from './generated/database/connect.js'
import { ListStatement } from './generated/database/list-statement.js'
import { isNew } from './unique.js'

/** {@link Users} in a database. */
export function openUsers (database: Database, connection: Connection): Users {
  const reads = readUsers(connection)
  return {
    // PostgreSQL has no text with NUL, and says so with an error.
    find: async username => username.includes('\0') ? null : await reads.ask(fold(username)),
    async isEnabled (id) {
      return await database.user.findFirst({ where: { id, disabledAt: null }, select: { id: true } }) !== null
    },
    async names (ids) {
      const found = await database.user.findMany({ where: { id: { in: [...new Set(ids)] } }, select: { id: true, username: true } })
      return new Map(found.map(({ id, username }) => [id, username]))
    },
    list: () => database.user.findMany({ orderBy: { usernameKey: 'asc' } }),
    add: user => isNew(database.user.create({ data: { ...user, usernameKey: fold(user.username) } })),
    async setPassword (username, passwordHash, now = new Date()) {
      const usernameKey = fold(username)
      const [{ count }] = await database.$transaction([
        database.user.updateMany({ where: { usernameKey }, data: { passwordHash } }),
        endSessions(database, usernameKey),
        ...endGrants(database, usernameKey, now)
      ])
      return count === 1
    },
    async setDisabled (username, disabledAt) {
      const usernameKey = fold(username)
      const [{ count }] = await database.$transaction([
        database.user.updateMany({ where: { usernameKey }, data: { disabledAt } }),
        ...(disabledAt === null ? [] : [endSessions(database, usernameKey), ...endGrants(database, usernameKey, disabledAt)])
      ])
      return count === 1
    }
  }
}

/** Finds people by their folded user names. */
function readUsers (connection: Connection): Batch<string, User | null> {
  const statement = new ListStatement(connection, list => `
    SELECT username_key, id, username, password_hash, demo, disabled_at, created_at FROM user_account WHERE username_key IN (${list})`, ['string'])
  return new Batch(async keys => {
    // as: these columns; the driver gives times as text, and SQLite truth as 1.
    const rows = await statement.run(keys.map(key => [key])) as Array<[string, string, string, string, unknown, string | null, string]>
    const found = new Map(rows.map(([key, id, username, passwordHash, demo, disabledAt, createdAt]) => [key, {
      id, username, passwordHash, demo: Boolean(demo), disabledAt: disabledAt === null ? null : new Date(disabledAt), createdAt: new Date(createdAt)
    }]))
    return keys.map(key => found.get(key) ?? null)
  }, connection)
}

/** RFC 8265 §3.3: compatibility forms and case make no other person. */
function fold (username: string): string {
  return username.normalize('NFKC').toLowerCase()
}

function endSessions (database: Database, usernameKey: string) {
  return database.session.deleteMany({ where: { user: { usernameKey } } })
}

/** Revokes all that apps have, after what could still come of it: a code that is exchanged later would begin anew. */
function endGrants (database: Database, usernameKey: string, now: Date) {
  // A token that is made at this moment can last that long.
  const least = new Date(now.getTime() + TOKEN_TTL.maximum * 1_000)
  return [
    database.$executeRaw`DELETE FROM authorization_code WHERE spent_at IS NULL AND user_id = (SELECT id FROM user_account WHERE username_key = ${usernameKey})`,
    database.$executeRaw`
      INSERT INTO revocation (id, revoked_at, ends_at)
      SELECT id, ${now}, CASE WHEN expires_at > ${least} THEN expires_at ELSE ${least} END FROM access_grant
      WHERE expires_at > ${now} AND user_id = (SELECT id FROM user_account WHERE username_key = ${usernameKey})
      ON CONFLICT DO NOTHING`
  ]
}
