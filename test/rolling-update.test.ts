import { migrate } from '@frontdesk/database/migrate'
import t, { type Test } from 'tap'
import { migratedDatabase, migrationsOf, OPTIONS } from './support/released/database.js'
import { badMigrations, createNext, startNext } from './support/released/next.js'
import { recordReleased } from './support/released/recording.js'
import { DIALECTS, readReleased, SERVICES, type Dialect, type Service } from './support/released/releases.js'
import { say, type Released, type Statement } from './support/released/statements.js'

export const needsPostgresql = true

// as: Object.keys knows no more than strings.
for (const service of Object.keys(SERVICES) as Service[]) {
  for (const dialect of DIALECTS) {
    await t.test(`rolling updates of ${service} on ${dialect}`, async t => { await testUpdates(t, service, dialect) })
  }
}

async function testUpdates (t: Test, service: Service, dialect: Dialect) {
  const released = await readReleased(service, dialect)
  if (released !== null) {
    await t.test('the last release keeps running: all of its statements work with the present tables', async t => {
      t.ok(released.length > 10, `${released.length} statements`)
      const { url, remove } = await migratedDatabase(service, dialect)
      t.teardown(remove)
      t.same(await differences(url, released), [])
    })
  }

  // Throws if a store was not used.
  const present = await recordReleased(service, dialect)
  t.ok(present.length > 10, `${present.length} statements`)
  t.ok(present.some(({ sql, values }) => /INSERT/.test(sql) && values.length > 0))

  await t.test('this version keeps running while a next one migrates and writes, and starts on its tables again', async t => {
    const { url, remove } = await migratedDatabase(service, dialect)
    t.teardown(remove)
    const { migration, statements } = createNext(service)
    await startNext(url, service, migration)
    t.same(await differences(url, present, statements), [])
    await migrate(url, migrationsOf(service), OPTIONS)
  })

  for (const [name, migration] of Object.entries(badMigrations(service))) {
    await t.test(`a next migration that ${name} is found`, async t => {
      const { url, remove } = await migratedDatabase(service, dialect)
      t.teardown(remove)
      await startNext(url, service, migration)
      const found = await differences(url, present).catch((error: unknown) => [error])
      t.not(found.length, 0)
    })
  }
}

/** Statements of a release that return or change other rows now, while the next version says its own between them. */
async function differences (url: string, released: Released, others: readonly Statement[] = []) {
  const rows = await say(url, released, others)
  return released.filter((statement, index) => statement.rows !== rows[index])
}
