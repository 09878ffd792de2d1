import t from 'tap'
import { MAX_SLICE, readSlices } from '../../src/records/slices.js'

t.test('a body is read in small slices, and other work gets its turn between them', async t => {
  const body = Buffer.from(Array.from({ length: 3 * MAX_SLICE + 1 }, (_, index) => index % 251))
  let time = 0
  let turns = 0
  const count = () => { turns++; turn = setImmediate(count) }
  let turn = setImmediate(count)
  t.teardown(() => clearImmediate(turn))
  const slices: Buffer[] = []
  for await (const slice of readSlices((async function * () { yield body; yield Buffer.alloc(0) })(), () => time)) {
    slices.push(slice)
    // Work on this slice.
    time += 20
  }
  t.same(slices.map(({ length }) => length), [MAX_SLICE, MAX_SLICE, MAX_SLICE, 1])
  t.ok(Buffer.concat(slices).equals(body))
  t.equal(turns, 4)
})
