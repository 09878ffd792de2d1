import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'

/** Writes a consistent snapshot of a SQLite database in use to a new file. @throws an error with a sentence for the operator */
export async function backUp (url: string, file: string): Promise<void> {
  if (!url.startsWith('file:')) throw new Error('This command backs up SQLite only. Back up PostgreSQL with pg_dump.')
  if (!existsSync(url.slice('file:'.length))) throw new Error(`There is no database at ${url}. Check DATABASE_URL.`)
  if (existsSync(file)) throw new Error(`${file} already exists. Name a new file.`)
  const { openMigrator } = await import('./sqlite.js')
  const connection = openMigrator(url, { createsFolder: false })
  // Renamed once complete, so that a killed backup leaves no file under the final name.
  const unfinished = `${file}.unfinished`
  try {
    rmSync(unfinished, { force: true })
    // The backup is as confidential as the database: readable by its owner only.
    closeSync(openSync(unfinished, 'wx', 0o600))
    await connection.query('VACUUM INTO $1', [unfinished])
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
    await connection.close()
  }
}
