import { listStatement } from '@frontdesk/database/list-statement'
import { query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, columns } from '@frontdesk/database/table'
import { assertSameRows } from '@frontdesk/test-kit/each-model'
import t from 'tap'
import * as tables from '../../src/generated/tables.js'
import { build } from '../support/helper.js'

export const onBothDatabases = true

await t.test('Prisma\'s client and statements read each other\'s rows, of every table', async t => {
  const { connection, db: client } = await build(t)
  await assertSameRows(t, {
    tables,
    first: [],
    client,
    write: ({ name, columns: entry }, row) => listStatement(connection, {
      entry,
      sql: entries => `INSERT INTO ${name} (${columnNames(entry)}) SELECT ${columns(entry, 'entry')} FROM ${entries}`
      // as: a value of each column's kind.
    }).run([row as never]),
    read: ({ name, columns }) => query(connection, columns, sql`SELECT ${raw(columnNames(columns))} FROM ${raw(name)}`)
  })
})
