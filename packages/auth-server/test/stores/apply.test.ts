import t from 'tap'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

t.test('clients are put and removed all at once or not at all', async t => {
  const { clients, close } = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(close)
  const wanted = (id: string, callbacks = [`https://${id}.example/cb`]) => ({ ...client({ id, callbacks }), disabledAt: null })
  await clients.apply({ put: [wanted('a'), wanted('b')], removed: [] })
  const before = await clients.list()
  t.equal(before.length, 2)
  await t.rejects(
    clients.apply({
      put: [wanted('a', ['https://new.example/cb']), wanted('c'), wanted('d', ['https://x.example/', 'https://x.example/'])], removed: ['b']
    }),
    'one that cannot be'
  )
  t.same(await clients.list(), before)
  await clients.apply({ put: [wanted('a', ['https://new.example/cb']), wanted('c')], removed: ['b', 'nobody'] })
  t.same(
    (await clients.list()).map(({ id, callbacks }) => [id, callbacks]),
    [
      ['a', ['https://new.example/cb']],
      ['c', ['https://c.example/cb']]
    ]
  )
})

t.test('the same put by many at once is there once', async t => {
  const url = await temporaryDatabase(t)
  // One after the other: SQLite's lock holds up the thread that another would need to let it go.
  const replicas: Array<Awaited<ReturnType<typeof openStores>>> = []
  for (let count = 0; count < 3; count++) replicas.push(await openStores(url, longTimeouts))
  t.teardown(() => Promise.all(replicas.map(({ close }) => close())))
  const wanted = ['a', 'b', 'c'].map(id => ({ ...client({ id }), disabledAt: null }))
  await Promise.all(replicas.map(({ clients }, index) => clients.apply({ put: index === 1 ? wanted.toReversed() : wanted, removed: ['z'] })))
  t.same((await replicas[0]!.clients.list()).map(({ id, callbacks }) => [id, callbacks.length]), [['a', 1], ['b', 1], ['c', 1]])
})
