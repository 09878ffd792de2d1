import { db } from '@frontdesk/database/db-command'
import type { Command } from 'commander'
import { CommandError } from './command-error.js'

/** `db copy` and `db backup`. */
export function dbCommands (program: Command): void {
  db(program, {
    readUrl: async () => (await settings()).databaseUrl,
    copy: async (from, to, progress) => await (await import('../stores/maintain.js')).copyRegister(
      from,
      to,
      (await settings()).database,
      progress
    ),
    backUp: async (url, file) => { await (await import('@frontdesk/database/backup')).backUp(url, file) },
    refuse: (sentence, cause) => new CommandError(sentence, { cause })
  })
}

async function settings () {
  const { loadConfig } = await import('../config.js')
  return loadConfig()
}
