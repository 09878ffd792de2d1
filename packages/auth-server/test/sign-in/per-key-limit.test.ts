import t from 'tap'
import { createPerKeyLimit } from '../../src/sign-in/queue.js'

t.test('under one key some at once, some in turn, and the rest not at all', async t => {
  const inTurn = createPerKeyLimit(1, 2)
  const endings: Array<() => void> = []
  const work = async () => await new Promise<string>(resolve => endings.push(() => resolve('done')))
  const [first, second] = [inTurn('a', work), inTurn('a', work)]
  t.equal(await inTurn('a', work), undefined)
  const elsewhere = inTurn('b', work)
  await new Promise(setImmediate)
  t.equal(endings.length, 2, 'one of each key')
  endings.splice(0).forEach(end => end())
  t.same(await Promise.all([first, elsewhere]), ['done', 'done'])
  await new Promise(setImmediate)
  const third = inTurn('a', work)
  await new Promise(setImmediate)
  t.equal(endings.length, 1, 'the second is being done')
  endings.splice(0).forEach(end => end())
  t.equal(await second, 'done')
  await new Promise(setImmediate)
  endings.splice(0).forEach(end => end())
  t.equal(await third, 'done')
  await t.rejects(inTurn('a', async () => { throw new Error('no') }), { message: 'no' })
  t.equal(await inTurn('a', async () => 'again'), 'again')
})

t.test('a call keeps its place until its result is settled, which the caller does not wait for', async t => {
  let settle = () => {}
  const settled = new Promise<void>(resolve => { settle = resolve })
  const inTurn = createPerKeyLimit<string>(1, 2, async () => await settled)
  t.equal(await inTurn('a', async () => 'first'), 'first')
  let isRunning = false
  const second = inTurn('a', async () => { isRunning = true; return 'second' })
  await new Promise(setImmediate)
  t.equal(isRunning, false)
  t.equal(await inTurn('a', async () => 'third'), undefined)
  settle()
  t.equal(await second, 'second')
})
