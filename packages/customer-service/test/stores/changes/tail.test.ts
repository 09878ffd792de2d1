import t from 'tap'
import { Tail } from '../../../src/stores/changes/tail.js'

const at = (position: number) => ({ position, mark: 'aaaaaaaaaaaa' })

const caller = (user: string, client = user) => ({ user, client })

t.test('there is a limit of readers, in all and of each caller, and without readers nothing runs', async t => {
  let reads = 0
  const tail = new Tail({ read: async () => { reads++; return { changes: [], next: at(1) } } }, { total: 3, share: 2 })
  const leave = tail.open(caller('one'))!
  t.equal(typeof tail.open(caller('one')), 'function')
  t.equal(tail.open(caller('one')), null, 'its share')
  t.equal(typeof tail.open(caller('two')), 'function')
  t.equal(tail.open(caller('three')), null, 'all places')
  leave()
  t.equal(typeof tail.open(caller('one')), 'function')
  tail.wake()
  t.equal(reads, 0)
})

t.test('a reader outlives a failure of the database, and ends where changes are missing', async t => {
  const locked = Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' })
  const change = { ...at(8), customerId: 1, version: 1, kind: 'updated', at: new Date(), fields: '', successor: null }
  const outcomes = [async () => { throw locked }, async () => ({ changes: [change], next: at(8) }), async () => ({ gap: 'removed', next: at(9) }) as const]
  const tail = new Tail({ read: async () => await outcomes.shift()!() })
  t.teardown(tail.open(caller('one'))!)
  const pages = []
  for await (const changes of tail.follow(at(7))) {
    pages.push(changes)
    tail.wake(0)
  }
  t.same(pages, [[], [change]])
})
