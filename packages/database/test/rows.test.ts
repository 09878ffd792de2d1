import t from 'tap'
import { decodeRows } from '../src/rows.js'

await t.test('times with and without a zone are in UTC', async t => {
  const rows = ['2026-07-01T12:00:00.000+00:00', '2026-07-01 12:00:00', '2026-07-01T12:00:00.000Z', '2026-07-01T14:00:00+02:00'].map(
    time => [time]
  )
  t.same(decodeRows({ time: 'datetime' }, rows).map(({ time }) => time.toISOString()), rows.map(() => '2026-07-01T12:00:00.000Z'))
})

await t.test('a timestamp is the text that its date has', async t => {
  const rows = ['2026-07-01T12:00:00.789+00:00', '2026-07-01 12:00:00.789', '2026-07-01 12:00:00.7', '2026-07-01 12:00:00', '2026-07-01T14:00:00+02:00',
    '2026-07-01T12:00:00.12Z', '0001-01-01 00:00:00.001'].map(time => [time])
  t.same(decodeRows({ time: 'timestamp' }, rows), decodeRows({ time: 'datetime' }, rows).map(({ time }) => ({ time: time.toISOString() })))
})

for (const [value, type] of [
  [null, 'string'],
  [1, 'string'],
  ['1.5', 'int'],
  [2 ** 60, 'int'],
  [null, 'int'],
  [2, 'boolean'],
  ['soon', 'datetime'],
  ['soon', 'timestamp'],
  [undefined, 'datetime?']
] as const) {
  await t.test(`${value} is refused as ${type}`, async t => {
    t.throws(() => decodeRows({ it: type }, [[value]]), { name: 'TypeError', message: `The column it has no ${type}` })
  })
}

await t.test('a row with more or fewer columns is refused', async t => {
  t.throws(() => decodeRows({ id: 'string' }, [['a', 'b']]), { message: 'A row has 2 columns instead of id.' })
})
