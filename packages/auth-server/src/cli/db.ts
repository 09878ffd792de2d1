import type { Command } from 'commander'
import { db } from '@frontdesk/database/db-command'
import { CommandError } from './command-error.js'
import { readSettings } from './database.js'

/** `db copy` and `db backup`. */
export function dbCommands (program: Command): void {
  db(program, {
    readUrl: async () => (await readSettings()).databaseUrl,
    async copy (from, to, progress) {
      const [{ copyDatabase }, { MIGRATIONS, NAME }] = await Promise.all([
        import('@frontdesk/database/copy'), import('../stores/stores.js')
      ])
      return await copyDatabase(from, to, MIGRATIONS, { ...(await readSettings()).database, ...NAME }, progress)
    },
    backUp: async (url, file) => { await (await import('@frontdesk/database/backup')).backUp(url, file) },
    refuse: (sentence, cause) => new CommandError(sentence, { cause })
  })
}
