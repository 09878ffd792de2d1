import { connect } from '@frontdesk/database/connect'
import { listStatement } from '@frontdesk/database/list-statement'
import { openPrisma } from '@frontdesk/database/prisma'
import { query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, columns } from '@frontdesk/database/table'
import { assertSameRows } from '@frontdesk/test-kit/each-model'
import t from 'tap'
import * as tables from '../../src/generated/tables.js'
import type { PrismaClient } from '../../src/generated/sqlite/client.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'

export const onBothDatabases = true

await t.test('Prisma\'s client and statements read each other\'s rows, of every table', async t => {
  const url = await temporaryDatabase(t)
  const connection = await connect(url, { ...longTimeouts, applicationName: 'test' })
  const client = await openPrisma<PrismaClient>(url, { ...longTimeouts, applicationName: 'test' }, {
    sqlite: () => import('../../src/generated/sqlite/client.js'),
    postgresql: () => import('../../src/generated/postgresql/client.js')
  })
  t.teardown(async () => { await client.$disconnect(); await connection.close() })
  await assertSameRows(t, {
    tables,
    first: ['client', 'user', 'role'],
    client,
    write: ({ name, columns: entry }, row) => listStatement(connection, {
      entry,
      sql: entries => `INSERT INTO ${name} (${columnNames(entry)}) SELECT ${columns(entry, 'entry')} FROM ${entries}`
      // as: a value of each column's kind.
    }).run([row as never]),
    read: ({ name, columns }) => query(connection, columns, sql`SELECT ${raw(columnNames(columns))} FROM ${raw(name)}`)
  })
})
