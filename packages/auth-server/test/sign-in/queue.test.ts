import t from 'tap'
import { createQueue } from '../../src/sign-in/queue.js'

/** A queue with one place, whose tasks are recorded and end on request. */
function start (longest: number) {
  const inTurn = createQueue(1, longest)
  const done: string[] = []
  const given: string[] = []
  const endings: Array<() => void> = []
  const add = (name: string, source: string, failures = 0) => {
    inTurn(source, failures, async () => {
      done.push(name)
      await new Promise<void>(resolve => endings.push(resolve))
      return name
    }).then(result => { if (result === undefined) given.push(name) }, t.threw)
  }
  const turn = async () => await new Promise(setImmediate)
  const finish = async () => {
    await turn()
    while (endings.length > 0) {
      endings.shift()!()
      await turn()
    }
  }
  return { add, done, given, turn, finish }
}

t.test('sources without recent failures go first, then those with fewer', async t => {
  const { add, done, finish } = start(10)
  add('first', 'a', 0.5)
  add('many', 'b', 0.5)
  add('few', 'c', 0.1)
  add('honest', 'd')
  await finish()
  t.same(done, ['first', 'honest', 'few', 'many'])
})

t.test('sources take turns, however many of one wait', async t => {
  const { add, done, finish } = start(10)
  for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, 'a')
  for (const name of ['b1', 'b2']) add(name, 'b')
  add('c1', 'c')
  await finish()
  t.same(done, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
})

t.test('a full queue gives up what would come last', async t => {
  const { add, done, given, turn, finish } = start(3)
  add('running', 'a', 1)
  add('b', 'b', 0.5)
  add('c', 'c', 0.5)
  add('worse', 'd', 0.7)
  await turn()
  t.same(given, ['worse'])
  add('better', 'e', 0)
  await turn()
  t.same(given, ['worse', 'c'])
  await finish()
  t.same(done, ['running', 'better', 'b'])
})

t.test('what fails frees its place', async t => {
  const inTurn = createQueue(1, 1)
  await t.rejects(inTurn('a', 0, async () => { throw new Error('no') }), /no/)
  t.equal(await inTurn('a', 0, async () => 1), 1)
})

t.test('what has been done or given up does not count against a source', async t => {
  const { add, done, given, turn, finish } = start(3)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) add(name, 'a')
  await turn()
  t.same(given, ['a4', 'a5'])
  await finish()
  add('running', 'x')
  add('a6', 'a')
  add('b1', 'b')
  await finish()
  t.same(done, ['a1', 'a2', 'a3', 'running', 'a6', 'b1'])
})
