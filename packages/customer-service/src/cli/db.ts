import { dbCommands } from '@frontdesk/database/db-command'
import { readConfig } from './config.js'

/** `db copy` and `db backup`. */
export const db = dbCommands({
  readUrl: async () => (await readConfig()).databaseUrl,
  copy: async (from, to, progress) =>
    await (await import('../stores/maintain.js')).copyRegister(from, to, (await readConfig()).database, progress),
  backUp: async (url, file) => { await (await import('@frontdesk/database/backup')).backUp(url, file) }
})
