import { sqliteFile } from '@frontdesk/test-kit/database'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { loadDatabase } from '../../src/config.js'
import { openStores } from '../../src/stores/stores.js'

t.test('with a clock of its own, SQLite revokes by that clock, and begins and ends leases', async t => {
  let time = Date.parse('2031-01-01T12:00:00.500Z')
  const stores = await openStores(sqliteFile(t), { ...loadDatabase({}).database, clock: () => time })
  t.teardown(() => stores.close())
  t.same([stores.clock.now(), await stores.signingKeys.now()], [new Date(time), new Date(time)])

  const id = randomUUID()
  await stores.users.add({ id, username: 'ann', passwordHash: '', demo: false })
  await stores.users.endAccess(id)
  const [entry] = await stores.revocations.after({ revokedAt: new Date(0), id: '' }, 10)
  t.same(entry?.revokedAt, new Date(time))
  t.match(entry?.notBefore?.toISOString(), /^2031-01-01T12:00:0\d\.000Z$/)

  t.ok(await stores.leases.take('clean-up', 'one'))
  t.notOk(await stores.leases.take('clean-up', 'other'))
  time += 24 * 60 * 60_000
  t.ok(await stores.leases.take('clean-up', 'other'))
})
