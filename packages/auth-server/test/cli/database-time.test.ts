import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { record } from '../../src/admin/audit.js'
import { openStores } from '../../src/stores/stores.js'
import { emptyDatabase, onPostgresql, longTimeouts } from '../support/database.js'
import { fakeTime, skipWithoutFakeTime as skip } from '@frontdesk/test-kit/fake-time'
import { client } from '../support/helper.js'
import { bin, folder } from '../support/cli/frontdesk-auth.js'

export const onBothDatabases = true

const DAY = 24 * 3_600_000

t.test("what commands record has the time of the database's clock", async t => {
  const stores = await openStores(await emptyDatabase(t))
  t.teardown(() => stores.close())
  const at = new Date('2030-01-31T12:00:00Z')
  await record({ recorded: stores.recorded, clock: { ...stores.clock, now: () => at } }, 'client add', {}, { kind: 'shell', name: 'ann' })
  t.match(await stores.audit.list({}, 1), [{ at, id: new RegExp(`^${at.getTime().toString(16).padStart(12, '0').slice(0, 8)}`) }])
})

t.test('a machine whose clock is 100 days ahead stores times of PostgreSQL; SQLite has no clock of its own', { skip }, async t => {
  const url = await emptyDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.add(client())
  const env = { PATH: process.env.PATH, DATABASE_URL: url, ...fakeTime, FAKETIME: '+100d' }
  await promisify(execFile)(process.execPath, [bin, 'client', 'disable', 'app'], { env })
  const [row] = await stores.audit.list({}, 1)
  const disabledAt = (await stores.clients.find('app'))?.disabledAt
  for (const time of [row?.at, disabledAt]) t.equal((time?.getTime() ?? 0) > Date.now() + DAY, !onPostgresql, `${time?.toISOString()}`)
})

t.test(
  'on a machine whose clock is 100 days ahead, the implicit grant can still end in 50 days by the time of PostgreSQL',
  { skip },
  async t => {
    const url = await emptyDatabase(t)
    const stores = await openStores(url, longTimeouts)
    t.teardown(() => stores.close())
    await stores.clients.add(client())
    const end = new Date(Date.now() + 50 * DAY).toISOString()
    const callback = ['--callback', 'https://shop.example/cb']
    const file = join(folder(t), 'clients.json')
    writeFileSync(
      file,
      JSON.stringify({ clients: [{ clientId: 'app', name: 'App', callbacks: ['https://shop.example/cb'], implicit: `until ${end}` }] })
    )
    for (const args of [
      ['client', 'implicit', 'app', 'until', end],
      ['client', 'add', 'shop', '--name', 'Shop', ...callback, '--implicit', `until ${end}`],
      ['client', 'update', 'app', '--implicit', `until ${end}`],
      ['apply', '-f', file]
    ]) {
      await stores.clients.setImplicit('app', { implicit: 'allowed', implicitUntil: null }, new Date())
      const env = { PATH: process.env.PATH, DATABASE_URL: url, ...fakeTime, FAKETIME: '+100d' }
      const outcome = await promisify(execFile)(process.execPath, [bin, ...args], { env }).then(
        () => 'done',
        ({ stderr }) => `${stderr}`
      )
      t.match(outcome, onPostgresql ? 'done' : 'has passed. To end the implicit grant now, use off.', args.join(' '))
    }
    const dates = (await stores.clients.list()).flatMap(({ implicitDeprecatedAt }) => implicitDeprecatedAt ?? [])
    t.equal(dates.length, onPostgresql ? 2 : 0)
    for (const date of dates) t.ok(date.getTime() < Date.now() + DAY, `deprecated since ${date.toISOString()}`)
  }
)
