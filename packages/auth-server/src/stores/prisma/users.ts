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
    list: () => database.user.findMany({ orderBy: { usernameKey: 'asc' } }),
    add: user => isNew(database.user.create({ data: { ...user, usernameKey: fold(user.username) } })),
    setPassword: (username, passwordHash) => change(database, username, { passwordHash }, true),
    setDisabled: (username, disabledAt) => change(database, username, { disabledAt }, disabledAt !== null)
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

async function change (database: Database, username: string, data: { passwordHash: string } | { disabledAt: Date | null }, signOut: boolean): Promise<boolean> {
  const usernameKey = fold(username)
  const [{ count }] = await database.$transaction([
    database.user.updateMany({ where: { usernameKey }, data }),
    ...(signOut ? [database.session.deleteMany({ where: { user: { usernameKey } } })] : [])
  ])
  return count === 1
}
