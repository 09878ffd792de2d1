import t from 'tap'
import { whyLost, whyNotLinearizable, type Operation } from '../support/failover/linearizability.js'

type Row = [name: string, operations: Operation[]]

/** An operation of a history. @param sent and `answered`: when, by a clock of the row */
function op (kind: Operation['kind'], address: string | null, status: number, sent: number, answered: number): Operation {
  return { kind, address, status, sent, answered }
}

const add = (address: string, status: number, sent: number, answered: number) => op('register', address, status, sent, answered)
const change = (address: string, status: number, sent: number, answered: number) => op('change', address, status, sent, answered)
const remove = (status: number, sent: number, answered: number) => op('remove', null, status, sent, answered)
const found = (address: string, sent: number, answered: number) => op('read', address, 200, sent, answered)
const missing = (sent: number, answered: number) => op('read', null, 404, sent, answered)
const added = add('a', 201, 0, 1)

const RIGHT: Row[] = [
  ['nothing', []],
  ['one after the other', [missing(0, 1), add('a', 201, 2, 3), found('a', 4, 5), change('b', 204, 6, 7), found('b', 8, 9), remove(204, 10, 11)]],
  ['a removed customer is added again', [added, remove(204, 2, 3), missing(4, 5), add('b', 201, 6, 7), found('b', 8, 9)]],
  ['a read during a write finds what was before', [added, change('b', 204, 2, 9), found('a', 3, 4), found('b', 5, 6)]],
  ['of two that add at once, either is first', [add('a', 409, 0, 5), add('b', 201, 1, 4), found('b', 6, 7)]],
  ['two changes at once, in the order in which they were answered last', [added, change('b', 204, 2, 9), change('c', 204, 3, 4), found('b', 10, 11)]],
  ['a write of unknown outcome that happened', [added, change('b', 503, 2, 3), found('b', 4, 5)]],
  ['a write of unknown outcome that did not', [added, change('b', 503, 2, 3), found('a', 4, 5)]],
  ['a write of unknown outcome that happens later', [added, change('b', 0, 2, 3), found('a', 4, 5), found('b', 6, 7)]],
  ['a removal of unknown outcome that happens later', [added, remove(503, 2, 3), found('a', 4, 5), missing(6, 7), change('b', 404, 8, 9)]],
  ['an addition of unknown outcome that is in the way of the next', [add('a', 503, 0, 1), add('b', 409, 2, 3), found('a', 4, 5)]],
  ['a read of unknown outcome', [added, op('read', null, 503, 2, 3), found('a', 4, 5)]],
  ['If-Match with what is', [added, { ...change('b', 204, 2, 3), from: 'a' }, { ...change('c', 412, 4, 5), from: 'a' }, found('b', 6, 7)]],
  ['If-Match, of unknown outcome, after which it is not', [added, { ...change('b', 503, 2, 3), from: 'a' }, { ...change('c', 412, 4, 5), from: 'a' }]]
]

const WRONG: Row[] = [
  ['an acknowledged addition is not there', [added, missing(2, 3)]],
  ['an acknowledged change is not there', [added, change('b', 204, 2, 3), found('a', 4, 5)]],
  ['an acknowledged removal is undone', [added, remove(204, 2, 3), found('a', 4, 5)]],
  ['a change is there, is not, and is', [added, change('b', 503, 2, 3), found('b', 4, 5), found('a', 6, 7), found('b', 8, 9)]],
  ['a read finds what was never written', [added, found('x', 2, 3)]],
  ['a read finds what is written only later', [added, found('b', 2, 3), change('b', 204, 4, 5)]],
  ['a write of unknown outcome is found before it was sent', [added, found('b', 2, 3), change('b', 503, 4, 5)]],
  ['two reads during a write find it in the wrong order', [added, change('b', 204, 2, 9), found('b', 3, 4), found('a', 5, 6)]],
  ['two that add at once are both told that they did', [add('a', 201, 0, 5), add('b', 201, 1, 4)]],
  ['an addition is refused though there is no such customer', [add('a', 409, 0, 1)]],
  ['an addition that was sent twice is refused because of itself', [add('a', 409, 0, 1), found('a', 2, 3)]],
  ['a change is refused though the customer is there', [added, change('b', 404, 2, 3)]],
  ['a change is acknowledged though there is no such customer', [change('b', 204, 0, 1)]],
  ['two changes with one If-Match are both acknowledged', [added, { ...change('b', 204, 2, 5), from: 'a' }, { ...change('c', 204, 3, 4), from: 'a' }]],
  ['If-Match is refused though it matches', [added, { ...change('b', 412, 2, 3), from: 'a' }]],
  ['a write without If-Match is refused by 412', [added, change('b', 412, 2, 3)]],
  ['an answer that is none of the interface', [added, change('b', 500, 2, 3)]]
]

await t.test('histories that are linearizable', async t => {
  for (const [name, operations] of RIGHT) t.equal(whyNotLinearizable(operations), null, name)
})

await t.test('histories that are not, with what is wrong', async t => {
  for (const [name, operations] of WRONG) t.match(whyNotLinearizable(operations), /none of these is right: \d/, name)
  t.equal(
    whyNotLinearizable([added, change('b', 204, 2, 3), found('a', 4, 5)]),
    'after 2 answers, the address is b, and none of these is right: 4–5 ms read a: 200'
  )
})

await t.test('the order in which operations are listed does not matter, only their times', async t => {
  t.equal(whyNotLinearizable([found('b', 4, 5), change('b', 204, 2, 3), added]), null)
  t.match(whyNotLinearizable([found('a', 4, 5), change('b', 204, 2, 3), added]), /read a/)
})

await t.test('a long history of many that work at once, and writes of unknown outcome, is searched at once', async t => {
  const changes = Array.from({ length: 60 }, (_, index) => change(`b${index}`, index % 12 === 5 ? 503 : 204, 2 + index, 6 + index))
  const begun = performance.now()
  t.equal(whyNotLinearizable([added, ...changes, found('b59', 100, 101)]), null)
  t.match(whyNotLinearizable([added, ...changes, found('b30', 100, 101)]), /read b30/)
  t.ok(performance.now() - begun < 5_000)
})

await t.test('a lost write is one that the last read contradicts; other wrong answers are not lost writes', async t => {
  t.equal(whyLost([added, change('b', 204, 2, 3)], found('b', 9, 10)), null)
  t.equal(whyLost([added, change('b', 503, 2, 3)], found('b', 9, 10)), null)
  t.equal(whyLost([added, found('x', 2, 3), change('b', 404, 4, 5)], found('a', 9, 10)), null)
  t.match(whyLost([added, change('b', 204, 2, 3)], found('a', 9, 10)), /read a/)
  t.match(whyLost([added], missing(9, 10)), /read none/)
  t.match(whyLost([added], op('read', null, 503, 9, 10)), /not answered/)
  t.match(whyLost([added, remove(204, 2, 3)], found('a', 9, 10)), /read a/)
})
