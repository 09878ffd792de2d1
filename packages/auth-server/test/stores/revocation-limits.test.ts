import type { AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroup } from '@frontdesk/schemas/revocations'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { pairwiseSubject } from '../../src/oauth/subject.js'
import { codeClient } from '../support/code-flow.js'
import { connectTo } from '../support/database.js'
import { build } from '../support/helper.js'

export const onBothDatabases = true

const HOUR = 3_600_000

/** What revokes access tokens of people at apps, and what the feed has of it. */
async function prepare (t: Test, ...clients: string[]) {
  const built = await build(t)
  const { stores } = built
  for (const id of clients) await stores.clients.put(codeClient({ id }))
  const iat = Math.floor(Date.now() / 1_000)
  const tokenOf = (userId: string, clientId: string, changes: Partial<AccessToken> = {}): AccessToken =>
    ({ iss: 'i', aud: 'a', scope: '', jti: randomUUID(), sub: userId, client_id: clientId, iat, exp: iat + 600, ...changes })
  return {
    ...built,
    tokenOf,
    /** Adds entries of access tokens, faster than they are revoked. */
    async fill (tokens: readonly AccessToken[], endsAt: Date) {
      const database = await connectTo(built.databaseUrl)
      const time = (date: Date) => `'${date.toISOString().replace('Z', '+00:00')}'`
      for (let at = 0; at < tokens.length; at += 500) {
        const rows = tokens.slice(at, at + 500).map(({ jti, sub, client_id: clientId }) =>
          `('${jti}', ${time(new Date())}, ${time(endsAt)}, '${sub}', '${clientId}')`)
        await database.query(`INSERT INTO revocation (id, revoked_at, ends_at, user_id, client_id) VALUES ${rows.join(', ')}`)
      }
      await database.close()
    },
    /** Revokes tokens, some at a time. */
    async revoke (tokens: readonly AccessToken[], atOnce = 1) {
      for (let at = 0; at < tokens.length; at += atOnce) {
        await Promise.all(tokens.slice(at, at + atOnce).map(({ jti, sub, client_id: clientId, exp }) =>
          stores.revocations.add({ id: jti, revokedAt: new Date(), endsAt: new Date(exp * 1_000), userId: sub, clientId })))
      }
    },
    feed: async () => await stores.revocations.after({ revokedAt: new Date(0), id: '' }, 50_000),
    async covers (tokens: readonly AccessToken[]) {
      const found = new Set<boolean>()
      for (let at = 0; at < tokens.length; at += 64) {
        for (const covers of await Promise.all(tokens.slice(at, at + 64).map(token => stores.revocations.covers(token)))) found.add(covers)
      }
      return found
    }
  }
}

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))

t.test('beyond 100 entries of a person at a client, one entry replaces them', async t => {
  const { tokenOf, revoke, feed, covers, stores } = await prepare(t, 'app', 'other')
  const ann = randomUUID()
  const tokens = many(101, () => tokenOf(ann, 'app'))
  await revoke(tokens.slice(0, 100))
  t.equal((await feed()).length, 100)
  t.same((await feed()).filter(({ notBefore }) => notBefore !== null), [])
  await revoke(tokens.slice(100))
  const [entry, ...others] = await feed()
  t.same(others, [])
  t.match(entry, { id: revocationGroup({ sub: ann, clientId: 'app' }), notBefore: Date })
  t.same(await covers(tokens), new Set([true]))
  const before = entry!.notBefore!.getTime() / 1_000
  t.ok(before > Date.now() / 1_000 && before < Date.now() / 1_000 + 60)
  t.same(await covers([tokenOf(ann, 'app', { iat: before }), tokenOf(ann, 'other'), tokenOf('bob', 'app')]), new Set([false]), 'no others')

  await revoke(many(99, () => tokenOf(ann, 'app')))
  t.equal((await feed()).length, 100, 'the next ones are entries again')
  t.equal(await stores.removeExpired('revocation', new Date(Date.now() + 48 * HOUR)), 100, 'all end')
})

t.test('beyond 1,000 entries of a person at many clients, one entry replaces them', async t => {
  const clients = many(11, index => `app-${index}`)
  const { tokenOf, revoke, feed, covers } = await prepare(t, ...clients)
  const ann = randomUUID()
  const tokens = clients.flatMap(id => many(95, () => tokenOf(ann, id)))
  await revoke(tokens, 8)
  const entries = await feed()
  t.ok(entries.length <= 1_000, `${entries.length} entries`)
  t.match(entries.filter(({ notBefore }) => notBefore !== null).map(({ id }) => id), [revocationGroup({ sub: ann })])
  t.same(await covers(tokens), new Set([true]))
  t.same(await covers([tokenOf('bob', 'app-1')]), new Set([false]))
})

t.test('beyond 10,000 entries of a client, one entry replaces them, and those of its people', async t => {
  const { tokenOf, revoke, feed, covers, fill } = await prepare(t, 'app', 'other')
  const tokens = many(10_000, index => tokenOf(`person-${index % 500}`, 'app'))
  await fill(tokens, new Date(Date.now() + HOUR))
  await revoke(many(101, () => tokenOf('ann', 'other')))
  const last = tokenOf('ann', 'app')
  await revoke([last])
  t.same((await feed()).map(({ id }) => id).sort(), [revocationGroup({ clientId: 'app' }), revocationGroup({ sub: 'ann', clientId: 'other' })].sort())
  t.same(await covers([...tokens, last]), new Set([true]))
  t.same(await covers([tokenOf('bob', 'other')]), new Set([false]))
})

t.test('entries whose tokens have expired do not count', async t => {
  const { tokenOf, revoke, feed, fill } = await prepare(t, 'app')
  await fill(many(200, () => tokenOf('ann', 'app')), new Date(Date.now() - 60_000))
  await revoke([tokenOf('ann', 'app')])
  t.equal((await feed()).length, 201)
})

t.test('tokens of the client credentials grant count for their client alone', async t => {
  const { tokenOf, feed, stores } = await prepare(t, 'app')
  for (const { jti } of many(150, () => tokenOf('app', 'app'))) {
    await stores.revocations.add({ id: jti, revokedAt: new Date(), endsAt: new Date(Date.now() + HOUR), userId: null, clientId: 'app' })
  }
  t.equal((await feed()).length, 150)
})

t.test('16 lanes revoke tokens of one person at one client at once: every one stays revoked', async t => {
  const { tokenOf, revoke, feed, covers } = await prepare(t, 'app')
  const ann = randomUUID()
  const tokens = many(16 * 40, () => tokenOf(ann, 'app'))
  await Promise.all(many(16, lane => revoke(tokens.slice(lane * 40, lane * 40 + 40))))
  const entries = await feed()
  t.ok(entries.length <= 100 + 16 + 1, `${entries.length} entries`)
  t.same(await covers(tokens), new Set([true]))
})

t.test('the entry of a person at a client with pairwise subjects is for the pseudonym, too', async t => {
  const { stores, tokenOf, feed, covers, databaseUrl } = await prepare(t)
  await stores.clients.put(codeClient({ id: 'paired', sectorIdentifier: 'app.example' }))
  const database = await connectTo(databaseUrl)
  const [sector] = await database.query("SELECT salt FROM sector WHERE identifier = 'app.example'")
  await database.close()
  const ann = randomUUID()
  const sub = pairwiseSubject(String(sector!.salt), ann)
  const tokens = many(101, () => tokenOf(sub, 'paired'))
  for (const { jti } of tokens) {
    await stores.revocations.add({ id: jti, revokedAt: new Date(), endsAt: new Date(Date.now() + HOUR), userId: ann, clientId: 'paired' })
  }
  t.same((await feed()).map(({ id }) => id).sort(), [ann, sub].map(sub => revocationGroup({ sub, clientId: 'paired' })).sort())
  t.same(await covers(tokens), new Set([true]))
})

t.test('the entries of a person who is removed are removed, and one for all their tokens stays', async t => {
  const { stores, tokenOf, revoke, feed, covers } = await prepare(t)
  const ann = (await stores.users.find('ann'))!.id
  const tokens = many(10, () => tokenOf(ann, 'app'))
  await revoke(tokens)
  await stores.users.remove('ann')
  t.same((await feed()).map(({ id }) => id), [revocationGroup({ sub: ann })])
  t.same(await covers(tokens), new Set([true]))
})
