// Keeps a second `npm start` off the data of the first: with other ports, it would change the callbacks of the demo apps.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Stop } from './command.js'

/**
 * Locks the data until this process ends, in whatever way: SQLite's lock belongs to the process.
 * @param {string} folder absolute
 * @throws Stop if another process holds the lock
 */
export async function claimData (folder) {
  // Imported here: prepare() installs it.
  const { default: Sqlite } = await import('better-sqlite3')
  mkdirSync(folder, { recursive: true })
  const database = new Sqlite(join(folder, 'npm-start.lock'), { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    process.once('exit', () => database.close())
  } catch (error) {
    database.close()
    if (error.code !== 'SQLITE_BUSY') throw error
    throw new Stop(
      `Another \`npm start\` is using the data in ${folder}. Stop it, or set DATA_DIR to another folder, as in \`DATA_DIR=./data-2 npm start\`.`
    )
  }
}
