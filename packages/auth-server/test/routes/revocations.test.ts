import type { RevocationList } from '@frontdesk/schemas/revocations'
import t from 'tap'
import { build } from '../helper.js'

t.test('a long list comes in parts, each once, also what was revoked at one time, and the last minute again', async t => {
  const { app, stores } = await build(t)
  const begun = Date.now() - 3_600_000
  const all = Array.from({ length: 1_200 }, (_, i) => `grant-${i}`)
  for (let i = 0; i < all.length; i += 100) {
    await Promise.all(all.slice(i, i + 100).map((id, at) => stores.revocations.add({ id, revokedAt: new Date(begun + (i < 600 ? 0 : i + at) * 10), endsAt: new Date(Date.now() + 60_000) })))
  }
  const ask = async (after: string) => (await app.inject(`/revocations?after=${after}`)).json<RevocationList>()
  const ids = new Set<string>()
  let list = await ask('0')
  for (; list.more; list = await ask(list.next)) for (const { id } of list.revoked) ids.add(id)
  for (const { id } of list.revoked) ids.add(id)
  t.same([...ids].sort(), all.sort())
  t.same((await ask(list.next)).revoked, [])
  await stores.revocations.add({ id: 'late', revokedAt: new Date(Date.now() - 30_000), endsAt: new Date(Date.now() + 60_000) })
  t.match((await ask(list.next)).revoked, [{ id: 'late' }], 'from a replica whose clock is slow')
})

t.test('a place in the list that is none is refused', async t => {
  const { app } = await build(t)
  for (const after of ['x', '-1', '1e3', '%FF', '1~', '~a', '1~a~b', '9'.repeat(16), '1&after=2']) t.equal((await app.inject(`/revocations?after=${after}`)).statusCode, 400, after)
})
