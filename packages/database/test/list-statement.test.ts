import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { connect } from '../src/connect.js'
import { listStatement } from '../src/list-statement.js'
import { lockRows } from '../src/lock-order.js'
import { query, raw, sql } from '../src/sql.js'
import { columnNames, columns, pick, table } from '../src/table.js'
import { options } from './options.js'

export const onBothDatabases = true

process.env.TZ = 'America/St_Johns'

/** A table of this test. On PostgreSQL, where a database has many tests, it is seen on one connection only. */
const letter = table('letter', { id: 'string', sender: 'string', weight: 'int', stamps: 'bigint', sentAt: 'datetime?', isOpen: 'boolean' })

const weighed = { ...pick(letter, 'id', 'sentAt'), isHeavy: 'boolean' } as const

const letters = ['a', 'b', 'c', 'd', 'e'].map((id, index) => ({
  id, sender: 'ä', weight: index, stamps: 2n ** 40n, sentAt: index === 0 ? null : new Date('2026-07-01T12:00:00.125Z'), isOpen: index === 1
}))

async function open (t: Test) {
  const connection = await connect(await temporaryDatabase(t), options)
  t.teardown(() => connection.close())
  await query(connection, {}, sql`CREATE ${raw(dialect.temporary)} TABLE letter
    (id text PRIMARY KEY, sender text, weight integer, stamps bigint, sent_at ${raw(dialect.time)}, is_open boolean)`)
  const add = listStatement(connection, {
    entry: letter.columns,
    sql: entries => `
      INSERT INTO letter (${columnNames(letter.columns)}) SELECT DISTINCT ${columns(letter.columns, 'entry')} FROM ${entries} WHERE true
      ON CONFLICT DO NOTHING RETURNING ${columns(letter.columns, 'letter')}`,
    row: letter.columns
  })
  return { connection, add }
}

const isPostgresql = process.env.TEST_DIALECT === 'postgresql'
const dialect = isPostgresql ? { temporary: 'TEMPORARY', time: 'timestamp' } : { temporary: '', time: 'text' }

async function temporaryDatabase (t: Test) {
  if (isPostgresql) return process.env.TEST_DATABASE_URL ?? ''
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  return `file:${join(directory, 'list.db')}`
}

const byId = <T extends { id: string }>(rows: T[]) => rows.toSorted((one, other) => one.id < other.id ? -1 : 1)

await t.test('a statement takes and returns objects, one or several, alone and in a transaction, in any time zone', async t => {
  const { connection, add } = await open(t)
  t.same(await add.run([]), [])
  t.same(await add.run(letters.slice(0, 1)), letters.slice(0, 1))
  t.same(byId(await add.run(letters)), letters.slice(1), 'a list of five is padded: no entry is stored twice')

  const weigh = listStatement(connection, {
    entry: pick(letter, 'id', 'weight'),
    sql: entries => `
      UPDATE letter SET weight = entry.weight FROM ${lockRows(connection, entries, { table: 'letter', key: 'id', on: 'letter.id = entry.id' })}
      WHERE letter.id = entry.id RETURNING ${columns(weighed, 'letter', { isHeavy: 'letter.weight > 5' })}`,
    row: weighed
  })
  t.same(await connection.transact(() => weigh.step([{ id: 'b', weight: 7 }])), [{ id: 'b', sentAt: letters[1]!.sentAt, isHeavy: true }])
  const rows = await connection.transact(() => weigh.step([{ id: 'x', weight: 1 }, { weight: 2, id: 'c' }, { id: 'a', weight: 9 }]))
  t.same(byId(rows).map(({ id, isHeavy }) => [id, isHeavy]), [['a', true], ['c', false]])
  t.same(await connection.transact(() => weigh.step([])), [])
})

await t.test('a statement without rows changes what it names', async t => {
  const { connection, add } = await open(t)
  await add.run(letters)
  const removal = listStatement(connection, { entry: { id: 'string' }, sql: entries => `DELETE FROM letter WHERE id IN (SELECT entry.id FROM ${entries})` })
  t.same(await removal.run([{ id: 'a' }, { id: 'c' }, { id: 'e' }]), [])
  t.same((await query(connection, { id: 'string' }, sql`SELECT id FROM letter ORDER BY id`)).map(({ id }) => id), ['b', 'd'])
})

await t.test('a list seeks its rows in the index, whatever its length', async t => {
  const { connection } = await open(t)
  for (const text of [
    (entries: string) => `SELECT letter.id FROM ${entries} JOIN letter ON letter.id = entry.id`,
    (entries: string) => `UPDATE letter SET weight = 1 FROM ${entries} WHERE letter.id = entry.id`,
    (entries: string) => `DELETE FROM letter WHERE id IN (SELECT entry.id FROM ${entries})`
  ]) {
    const plans = listStatement(connection, {
      entry: { id: 'string' },
      sql: entries => `${isPostgresql ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN'} ${text(entries)}`,
      row: isPostgresql ? { detail: 'string' } : { id: 'int', parent: 'int', none: 'int', detail: 'string' }
    })
    for (const count of [1, 3]) {
      const plan = (await plans.run(letters.slice(0, count).map(({ id }) => ({ id })))).map(({ detail }) => detail).join('\n')
      t.match(plan, isPostgresql ? /letter_pkey/ : /SEARCH letter USING .*INDEX/)
      t.notMatch(plan, /SCAN letter|Seq Scan/)
    }
  }
})

await t.test('the types of entries and rows are those of their columns', async t => {
  const { connection, add } = await open(t)
  const statement = listStatement(connection, {
    entry: { ...pick(letter, 'id', 'weight'), now: 'datetime' }, sql: entries => `SELECT entry.id, entry.now FROM ${entries}`, row: { id: 'string', now: 'datetime' }
  })
  const now = new Date('2026-07-01T12:00:00.125Z')
  const [row] = await statement.run([{ id: 'a', weight: 1, now }])
  t.same(row satisfies { id: string, now: Date } | undefined, { id: 'a', now })
  const refused = () => {
    // @ts-expect-error: the values are swapped
    statement.run([{ id: 1, weight: 'a', now }])
    // @ts-expect-error: a field is missing
    statement.run([{ id: 'a', weight: 1 }])
    // @ts-expect-error: a column is not nullable
    statement.run([{ id: null, weight: 1, now }])
    // @ts-expect-error: a nullable one is missing
    add.run([{ id: 'a', sender: 'b', weight: 1, stamps: 1n, isOpen: true }])
    // @ts-expect-error: the statement does not return it
    const { weight } = row!
    // @ts-expect-error: the table has no such column
    pick(letter, 'recipient')
    // @ts-expect-error: the row has no such column
    columns(weighed, 'weighed', { isLight: 'false' })
    return weight
  }
  t.type(refused, 'function')
})
