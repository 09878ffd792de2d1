import type { Users } from '../users.js'
import type { Database } from './database.js'
import { isNew } from './unique.js'

/** {@link Users} in a database. */
export function openUsers (database: Database): Users {
  return {
    // PostgreSQL has no text with NUL, and says so with an error.
    find: async username => username.includes('\0') ? null : await database.user.findUnique({ where: { usernameKey: fold(username) } }),
    list: () => database.user.findMany({ orderBy: { usernameKey: 'asc' } }),
    add: user => isNew(database.user.create({ data: { ...user, usernameKey: fold(user.username) } })),
    setPassword: (username, passwordHash) => change(database, username, { passwordHash }, true),
    setDisabled: (username, disabledAt) => change(database, username, { disabledAt }, disabledAt !== null)
  }
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
