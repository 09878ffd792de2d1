import t from 'tap'
import { recordsOf } from '../../support/records-of.js'

t.test('a record has four errors at most, however many of its fields are misspelt', async t => {
  const names = Array.from({ length: 31 }, (_, bits) =>
    [...'customername'].map((letter, index) => (bits + 1) >> index & 1 ? letter.toUpperCase() : letter).join(''))
  const json = JSON.stringify(Object.fromEntries([['customerid', 1], ...names.map(name => [name, 'a'])]))
  for await (const record of recordsOf('application/x-ndjson', (async function * () { yield Buffer.from(json) })())) {
    t.match(record, { customerid: 1, errors: { length: 4 } })
  }
  t.plan(1)
})
