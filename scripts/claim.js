import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Stop } from './command.js'

/**
 * Claims the data for this process until it ends, however it ends: another `npm start` with other ports would register
 * the demo apps with its own callbacks. SQLite's lock is the operating system's, so none is left behind.
 * @param {string} folder absolute
 * @throws Stop if another process has it
 */
export async function claimData (folder) {
  // Not before prepare(), which installs it.
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
