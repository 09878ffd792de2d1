import { dbCommands } from '@frontdesk/database/db-command'
import { readSettings } from './database.js'

/** `db copy` and `db backup`. */
export const db = dbCommands({
  readSettings,
  async copy (from, to, database, progress) {
    const [{ copyDatabase }, { MIGRATIONS, NAME }] = await Promise.all([import('@frontdesk/database/copy'), import('../stores/stores.js')])
    return await copyDatabase({ from, to }, MIGRATIONS, { ...database, ...NAME }, progress)
  }
})
