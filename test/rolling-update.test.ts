import t from 'tap'
import { migratedDatabase } from './released/database.js'
import { record } from './released/recording.js'
import { DIALECTS, readReleased, SERVICES, type Service } from './released/releases.js'
import { say } from './released/statements.js'

export const needsPostgresql = true

// as: Object.keys knows no more than strings.
for (const service of Object.keys(SERVICES) as Service[]) {
  for (const dialect of DIALECTS) {
    await t.test(
      `the last release of ${service} keeps running during an update on ${dialect}: all of its statements work with the present tables`,
      async t => {
        const released = await readReleased(service, dialect)
        t.ok(released.length > 10, `${released.length} statements`)
        const { url, remove } = await migratedDatabase(service, dialect)
        t.teardown(remove)
        const rows = await say(url, released)
        t.same(
          released.filter((statement, index) => statement.rows !== rows[index]),
          []
        )
      }
    )
  }
}

// as: Object.keys knows no more than strings.
for (const service of Object.keys(SERVICES) as Service[]) {
  await t.test(`what this version of ${service} says can be recorded for the next one: all of its stores are used`, async t => {
    const statements = await record(service, 'sqlite')
    t.ok(statements.length > 5, `${statements.length} statements`)
    t.ok(statements.some(({ sql, values }) => /INSERT/.test(sql) && values.length > 0))
  })
}
