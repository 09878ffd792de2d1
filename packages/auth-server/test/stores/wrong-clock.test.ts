import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { connectTo, onPostgresql } from '../support/database.js'
import { fakeTime, skipWithoutFakeTime as skip } from '@frontdesk/test-kit/fake-time'
import { Browser, build } from '../support/helper.js'

export const onBothDatabases = true

const DAY = 24 * 3_600_000
const TABLES = ['session', 'access_grant', 'throttle', 'authorization_code', 'device_code', 'revocation', 'audit']

t.test('a replica whose clock is 100 days ahead deletes nothing that has not ended, and holds the lease no longer', { skip }, async t => {
  const { app, stores, databaseUrl } = await build(t)
  const browser = new Browser(app)
  t.equal((await browser.allow()).statusCode, 303)
  const now = new Date()
  const inTenDays = new Date(now.getTime() + 10 * DAY)
  await stores.revocations.add({ id: 'g', revokedAt: now, endsAt: inTenDays })
  const waiting = {
    clientId: 'app', scope: '', audience: 'x', acrValues: '', maxAge: null, pollInterval: 5, createdAt: now, expiresAt: inTenDays
  }
  await stores.deviceCodes.add({ ...waiting, hash: 'device', userCodeHash: 'user' })
  const database = await connectTo(databaseUrl)
  t.teardown(() => database.close())
  const count = async () =>
    (await database.query(TABLES.map(table => `SELECT '${table}' AS name, count(*) AS count FROM ${table}`).join(' UNION ALL '))).map(
      ({ name, count }) => `${name} ${count}`
    )
  // The sign-in and the consent, each written after its response.
  while (!(await count()).includes('audit 2')) await new Promise(resolve => setTimeout(resolve, 50))
  const before = await count()

  const program = fileURLToPath(new URL('../support/stores/clean-up-as.js', import.meta.url))
  const env = { ...process.env, ...fakeTime, FAKETIME: '+100d' }
  const { stdout } = await promisify(execFile)(process.execPath, [program, databaseUrl], { env })
  const seen = JSON.parse(stdout)
  t.ok(seen.isHolder && seen.machine > Date.now() + 99 * DAY, stdout)
  t.equal(seen.database > Date.now() + DAY, !onPostgresql, 'PostgreSQL has its own clock')
  t.same(await count(), before)

  if (onPostgresql) {
    t.equal(await stores.leases.take('clean-up', 'another'), false, 'it is the turn of the first')
    await database.query(`UPDATE lease SET ends_at = '${new Date(Date.now() - 1_000).toISOString()}'`)
  }
  t.equal(await stores.leases.take('clean-up', 'another'), true, 'the lease is not held until its clock is right')
})
