import type { RevocationList } from '@frontdesk/schemas/revocations'
import t from 'tap'
import { build } from '../../support/helper.js'

export const onBothDatabases = true

t.test('a long list comes in parts, each once, also what was revoked at one time, and the last minute again', async t => {
  const { app, stores } = await build(t)
  const begun = Date.now() - 3_600_000
  const all = Array.from({ length: 1_200 }, (_, i) => `grant-${i}`)
  for (let i = 0; i < all.length; i += 20) {
    await Promise.all(
      all
        .slice(i, i + 20)
        .map((id, at) =>
          stores.revocations.add({ id, revokedAt: new Date(begun + (i < 600 ? 0 : i + at) * 10), endsAt: new Date(Date.now() + 60_000) })
        )
    )
  }
  const ask = async (after: string) => (await app.inject(`/revocations?after=${after}`)).json<RevocationList>()
  const ids = new Set<string>()
  let list = await ask('0')
  for (; list.more; list = await ask(list.next)) for (const { id } of list.revoked) ids.add(id)
  for (const { id } of list.revoked) ids.add(id)
  t.same([...ids].sort(), all.sort())
  t.same((await ask(list.next)).revoked, [])
  await stores.revocations.add({ id: 'late', revokedAt: new Date(Date.now() - 30_000), endsAt: new Date(Date.now() + 60_000) })
  t.match((await ask(list.next)).revoked, [{ id: 'late' }], 'committed after later ones')
})

t.test('a place in the future, where the clock was wrong when it was given, is now', async t => {
  const { app, stores } = await build(t)
  const ask = async (after: string) => (await app.inject(`/revocations?after=${after}`)).json<RevocationList>()
  const day = 24 * 3_600_000
  const { next, now } = await ask(`${Date.now() + day}`)
  t.ok(Math.abs(Number(next) + 60_000 - stores.clock.now().getTime()) < 5_000, next)
  t.ok(Math.abs(now! * 1_000 - stores.clock.now().getTime()) < 5_000)
  await stores.revocations.add({ id: 'new', revokedAt: stores.clock.now(), endsAt: new Date(Date.now() + day) })
  for (const after of [
    `${Date.now() + day}`,
    `${Date.now() + 100 * day}`,
    '9'.repeat(15),
    `${Date.now() + day}~x`,
    `${Date.now() + day}~x~0`,
    `${Date.now() + day}~x~${Date.now() + day}`,
    `${Date.now() + day}~x~${Date.now() - 90_000}`,
    '253402300800000~x',
    `253402300800000~x~${Date.now()}`,
    `${'9'.repeat(15)}~x~${Date.now()}`
  ]) {
    t.match((await ask(after)).revoked, [{ id: 'new' }], after)
  }
})

t.test('what a clock ahead has revoked comes to its end too, page by page', async t => {
  const { app, stores } = await build(t)
  const endsAt = new Date(Date.now() + 10 * 24 * 3_600_000)
  const revokedAt = new Date(Date.now() + 24 * 3_600_000)
  for (let i = 0; i < 501; i++) await stores.revocations.add({ id: `grant-${i}`, revokedAt, endsAt })
  const ids = new Set<string>()
  let list: RevocationList | undefined
  for (let pages = 0; pages < 5 && list?.more !== false; pages++) {
    list = (await app.inject(`/revocations?after=${list?.next ?? '0'}`)).json<RevocationList>()
    for (const { id } of list.revoked) ids.add(id)
  }
  t.equal(ids.size, 501)
  t.ok(Number(list?.next) < Date.now())
})

t.test('the end of a long list of the last minute goes back over that minute', async t => {
  const { app, stores } = await build(t)
  const endsAt = new Date(Date.now() + 3_600_000)
  // At once: one after the other would take a slow machine longer than the minute.
  const revokedAt = stores.clock.now()
  await Promise.all(Array.from({ length: 501 }, (_, i) => stores.revocations.add({ id: `grant-${i}`, revokedAt, endsAt })))
  const first = (await app.inject('/revocations')).json<RevocationList>()
  const last = (await app.inject(`/revocations?after=${first.next}`)).json<RevocationList>()
  await stores.revocations.add({ id: 'late', revokedAt: new Date(Date.now() - 10_000), endsAt })
  t.match((await app.inject(`/revocations?after=${last.next}`)).json<RevocationList>().revoked, [{ id: 'late' }])
})

t.test('a place in the list that is none is refused', async t => {
  const { app } = await build(t)
  for (const after of ['x', '-1', '1e3', '%FF', '1~', '~a', '1~a~b', '1~a~', '1~a~1~1', '1~~1', '9'.repeat(16), '1&after=2']) {
    t.equal((await app.inject(`/revocations?after=${after}`)).statusCode, 400, after)
  }
})
