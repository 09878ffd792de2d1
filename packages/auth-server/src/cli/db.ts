import type { Command } from 'commander'
import { loadDatabase } from '../config.js'
import { db } from './generated/db.js'
import { Refusal } from './refusal.js'

/** `db copy` and `db backup`. */
export function dbCommands (program: Command): void {
  db(program, {
    readUrl: () => settings().databaseUrl,
    copy: async (from, to, progress) => await (await import('../stores/prisma/keep.js')).copyStores(from, to, settings().database, progress),
    backUp: async (url, file) => { await (await import('../stores/prisma/keep.js')).backUp(url, file) },
    refuse: (sentence, cause) => new Refusal(sentence, { cause })
  })
}

function settings () {
  try {
    return loadDatabase()
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
