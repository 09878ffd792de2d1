import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'

/**
 * Writes a SQLite database as it is at one moment into a new file, while others read and write it.
 * @throws with a sentence if it cannot
 */
export async function backUp (url: string, file: string): Promise<void> {
  if (!url.startsWith('file:')) throw new Error('This command backs up SQLite only. Back up PostgreSQL with pg_dump.')
  if (!existsSync(url.slice('file:'.length))) throw new Error(`There is no database at ${url}. Check DATABASE_URL.`)
  if (existsSync(file)) throw new Error(`${file} already exists. Name a new file.`)
  const { openMigrator } = await import('./sqlite.js')
  const connection = openMigrator(url)
  // Whole, or not there, also when this is killed.
  const unfinished = `${file}.unfinished`
  try {
    rmSync(unfinished, { force: true })
    // It holds what the database holds: only its owner may read it.
    closeSync(openSync(unfinished, 'wx', 0o600))
    await connection.query('VACUUM INTO $1', [unfinished])
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
    await connection.close()
  }
}
