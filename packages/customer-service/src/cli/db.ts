import { db } from '@frontdesk/database/db-command'
import type { Command } from 'commander'
import { CommandError } from './command-error.js'
import { readConfig } from './config.js'

/** `db copy` and `db backup`. */
export function dbCommands (program: Command): void {
  db(program, {
    readUrl: async () => (await readConfig()).databaseUrl,
    copy: async (from, to, progress) => await (await import('../stores/maintain.js')).copyRegister(
      from,
      to,
      (await readConfig()).database,
      progress
    ),
    backUp: async (url, file) => { await (await import('@frontdesk/database/backup')).backUp(url, file) },
    refuse: (sentence, cause) => new CommandError(sentence, { cause })
  })
}
