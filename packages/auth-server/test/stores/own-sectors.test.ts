import { revocationGroup } from '@frontdesk/schemas/revocations'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { pairwiseSubject } from '../../src/oauth/subject.js'
import { codeClient } from '../support/code-flow.js'
import { connectTo } from '../support/database.js'
import { build } from '../support/helper.js'

export const onBothDatabases = true

const DAY_MS = 24 * 60 * 60_000

/** Apps that registered themselves for pairwise subjects, each in a sector. */
async function prepare (t: Test, count: number) {
  const built = await build(t)
  const { stores } = built
  const { id: ann } = (await stores.users.find('ann'))!
  const clients = []
  for (let i = 0; i < count; i++) {
    const client = codeClient({ id: randomUUID(), sectorIdentifier: `self:${i}.example`, registeredBy: 'open' })
    await stores.clients.put(client)
    clients.push((await stores.clients.find(client.id))!)
  }
  const feed = async () => (await stores.revocations.after({ revokedAt: new Date(0), id: '' }, 50_000)).map(({ id }) => id)
  return { ...built, ann, clients, feed }
}

t.test('revoking a person costs an entry for each self-registered app that they have allowed, not for each that exists', async t => {
  const { stores, ann, clients, feed } = await prepare(t, 20)
  const [used] = clients
  await stores.registrations.use(used!, ann, new Date())
  await stores.users.setPassword('ann', 'hash')
  const entry = (sub: string) => revocationGroup({ sub, clientId: '' })
  t.same(new Set(await feed()), new Set([entry(ann), entry(pairwiseSubject(used!.pairwiseSalt!, ann))]))
  const shop = codeClient({ id: 'shop', sectorIdentifier: 'shop.example' })
  await stores.clients.put(shop)
  await stores.users.setPassword('ann', 'hash')
  t.equal((await feed()).length, 3, 'each sector of an operator has one')
})

t.test('erasing a person revokes their tokens at self-registered apps, too', async t => {
  const { stores, ann, clients: [used], feed } = await prepare(t, 2)
  await stores.registrations.use(used!, ann, new Date())
  await stores.users.remove('ann')
  t.ok((await feed()).includes(revocationGroup({ sub: pairwiseSubject(used!.pairwiseSalt!, ann), clientId: '' })))
})

t.test('the sectors of apps that registered themselves end with them; those of an operator stay', async t => {
  const { stores, clients, databaseUrl } = await prepare(t, 3)
  await stores.clients.put(codeClient({ id: 'shop', sectorIdentifier: 'shop.example' }))
  await stores.clients.remove('shop')
  await stores.clients.remove(clients[0]!.id)
  const database = await connectTo(databaseUrl)
  const count = async () => (await database.query('SELECT identifier FROM sector')).length
  await stores.registrations.sweep(new Date(), 500)
  t.equal(await count(), 4, 'an app may register at this moment')
  await stores.registrations.sweep(new Date(Date.now() + 1.1 * DAY_MS), 0)
  t.equal(await count(), 3)
  t.ok((await stores.clients.find(clients[1]!.id))!.pairwiseSalt)
  await database.close()
})
