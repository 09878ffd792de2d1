import type { Command } from 'commander'
import { db } from '@frontdesk/database/db-command'
import { Refusal } from './refusal.js'

/** `db copy` and `db backup`. */
export function dbCommands (program: Command): void {
  db(program, {
    readUrl: async () => (await settings()).databaseUrl,
    copy: async (from, to, progress) => await (await import('../stores/prisma/keep.js')).copyStores(from, to, (await settings()).database, progress),
    backUp: async (url, file) => { await (await import('../stores/prisma/keep.js')).backUp(url, file) },
    refuse: (sentence, cause) => new Refusal(sentence, { cause })
  })
}

async function settings () {
  const { loadDatabase } = await import('../config.js')
  try {
    return loadDatabase()
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
