import { connectTo, temporaryDatabase } from '@frontdesk/test-kit/database'
import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { openDatabase } from '../../src/stores/open.js'

export const onBothDatabases = true

/** Opens a database as the service does. */
async function open (url: string) {
  await (await openDatabase(loadConfig({ DATABASE_URL: url, AUTH: 'none' }))).close()
}

/** A database of the service, in which another process has changed the record of migrations. */
async function changed (t: Parameters<typeof temporaryDatabase>[0], ...statements: string[]) {
  const url = await temporaryDatabase(t)
  await open(url)
  const database = await connectTo(url)
  for (const statement of statements) await database.query(statement)
  await database.close()
  return url
}

const later = `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
  VALUES ('later', 'x', '29990101000000_later', CURRENT_TIMESTAMP)`

t.test('a database of an earlier build is refused, by name and without the password, with what to do; nothing in it changes', async t => {
  const table: Array<[name: string, statements: string[], difference: RegExp]> = [
    [
      'other migrations',
      ["UPDATE _prisma_migrations SET migration_name = '20261121000000_init'"],
      /: this build lacks the migration 20261121000000_init\./
    ],
    ['an edited one', ["UPDATE _prisma_migrations SET checksum = 'x'"], /: the migration \d+_init differs from this build's\./],
    ['a later one without the first', ['DELETE FROM _prisma_migrations', later], /: this build lacks the migration 29990101000000_later\./]
  ]
  for (const [name, statements, difference] of table) {
    const url = await changed(t, ...statements)
    const { message } = await open(url.replace('postgres@', 'postgres:secret@')).then(() => ({ message: 'it opens' }), (error: Error) => error)
    const place = url.startsWith('file:') ? url.slice('file:'.length) : url.replace('postgres@', '')
    t.ok(message.startsWith(`The database ${place} was made by another build`), `${name}: ${message}`)
    t.match(message, difference)
    t.match(message, / Export with that build, delete the database, start this build, and import\.$/)
    const database = await connectTo(url)
    t.equal((await database.query('SELECT 1 FROM _prisma_migrations')).length, 1, name)
    await database.close()
  }
})

t.test('a database that a later release has migrated is used as it is', async t => {
  const url = await changed(t, later)
  await open(url)
  const database = await connectTo(url)
  t.equal((await database.query('SELECT 1 FROM _prisma_migrations')).length, 2)
  await database.close()
})
