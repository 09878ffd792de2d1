import t from 'tap'
import { readRows } from '../../../src/input/import/csv.js'

async function * bodyOf (text: string) {
  yield Buffer.from(text)
}

t.test('rows of different lengths and empty lines do not cost an error each', async t => {
  const capture = t.capture(Error, 'captureStackTrace', Error.captureStackTrace)
  const rows = []
  for await (const row of readRows(bodyOf('a,b\n' + 'x\n\n'.repeat(100) + '1,2,3'))) rows.push(row)
  t.equal(rows.length, 102)
  t.same(rows.at(-1), { line: 202, cells: ['1', '2', '3'] })
  t.equal(capture().length, 0)
})
