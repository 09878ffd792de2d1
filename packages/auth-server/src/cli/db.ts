import { dbCommands } from '@frontdesk/database/db-command'
import { readSettings } from './database.js'

/** `db copy` and `db backup`. */
export const db = dbCommands({
  readUrl: async () => (await readSettings()).databaseUrl,
  async copy (from, to, progress) {
    const [{ copyDatabase }, { MIGRATIONS, NAME }] = await Promise.all([import('@frontdesk/database/copy'), import('../stores/stores.js')])
    return await copyDatabase({ from, to }, MIGRATIONS, { ...(await readSettings()).database, ...NAME }, progress)
  },
  backUp: async (url, file) => { await (await import('@frontdesk/database/backup')).backUp(url, file) }
})
