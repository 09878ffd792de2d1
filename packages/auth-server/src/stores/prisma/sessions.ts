import type { Sessions } from '../sessions.js'
import type { Database } from './database.js'

/** {@link Sessions} in a database. */
export function openSessions (database: Database): Sessions {
  return {
    async find (idHash, now) {
      const row = await database.session.findUnique({ where: { idHash }, include: { user: true } })
      if (row === null || row.expiresAt <= now || row.user.disabledAt !== null) return null
      return { userId: row.userId, username: row.user.username, authTime: row.authTime }
    },
    async add (session) {
      await database.session.create({ data: session })
    },
    async remove (idHash) {
      await database.session.deleteMany({ where: { idHash } })
    },
    async sweep (now, limit) {
      return (await database.session.deleteMany({ where: { expiresAt: { lte: now } }, limit })).count
    }
  }
}
