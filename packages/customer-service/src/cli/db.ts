import type { Command } from 'commander'
import { db } from '@frontdesk/database/db-command'
import { Refusal } from './refusal.js'

/** `db copy` and `db backup`. */
export function dbCommands (program: Command): void {
  db(program, {
    readUrl: async () => (await settings()).databaseUrl,
    copy: async (from, to, progress) => await (await import('../stores/keep.js')).copyRegister(from, to, (await settings()).database, progress),
    backUp: async (url, file) => { await (await import('../stores/keep.js')).backUp(url, file) },
    refuse: (sentence, cause) => new Refusal(sentence, { cause })
  })
}

async function settings () {
  const { loadConfig } = await import('../config.js')
  return loadConfig()
}
