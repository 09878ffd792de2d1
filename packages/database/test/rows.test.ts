import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { connect } from '../src/connect.js'
import { decodeRows } from '../src/rows.js'
import { ValuesStatement } from '../src/values-statement.js'
import { options } from './options.js'

export const onBothDatabases = true

const columns = { text: 'string', count: 'int', large: 'bigint', time: 'datetime', isFirst: 'boolean', nothing: 'datetime?' } as const

const first = { text: 'ä', count: 7, large: 2n ** 40n, time: new Date('2026-07-01T12:00:00.125Z'), isFirst: true, nothing: null }

/** Statements without a table need no database of their own. */
async function temporaryDatabase (t: Test) {
  if (process.env.TEST_DIALECT === 'postgresql') return process.env.TEST_DATABASE_URL ?? ''
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  return `file:${join(directory, 'rows.db')}`
}

await t.test('rows of a statement are decoded as declared, alone and in a transaction, in any time zone', async t => {
  process.env.TZ = 'America/St_Johns'
  const connection = await connect(await temporaryDatabase(t), options)
  t.teardown(() => connection.close())
  const statement = new ValuesStatement(connection, list => `
    SELECT column1, column2, column3, column4, column2 = 7, column5 FROM (${list}) AS list`,
  ['string', 'int', 'bigint', 'datetime', 'datetime'], columns)
  const rows = [['ä', 7, first.large, first.time, null], ['b', 8, 1n, first.time, first.time]]

  t.same(await statement.run(rows.slice(0, 1)), [first])
  const second = { ...first, text: 'b', count: 8, large: 1n, isFirst: false, nothing: first.time }
  const all = await statement.run(rows)
  t.same(all.toSorted((one, other) => one.count - other.count), [first, second])
  t.same(await connection.transact(() => statement.step(rows.slice(0, 1))), [first])
})

await t.test('times with and without a zone are in UTC', async t => {
  const rows = ['2026-07-01T12:00:00.000+00:00', '2026-07-01 12:00:00', '2026-07-01T12:00:00.000Z', '2026-07-01T14:00:00+02:00'].map(
    time => [time]
  )
  t.same(decodeRows({ time: 'datetime' }, rows).map(({ time }) => time.toISOString()), rows.map(() => '2026-07-01T12:00:00.000Z'))
})

for (const [value, type] of [
  [null, 'string'],
  [1, 'string'],
  ['1.5', 'int'],
  [2 ** 60, 'int'],
  [null, 'int'],
  [2, 'boolean'],
  ['soon', 'datetime'],
  [undefined, 'datetime?']
] as const) {
  await t.test(`${value} is refused as ${type}`, async t => {
    t.throws(() => decodeRows({ it: type }, [[value]]), { name: 'TypeError', message: `The column it has no ${type}` })
  })
}

await t.test('a row with more or fewer columns is refused', async t => {
  t.throws(() => decodeRows({ id: 'string' }, [['a', 'b']]), { message: 'A row has 2 columns instead of id.' })
})
