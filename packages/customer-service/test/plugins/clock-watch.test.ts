import { mock } from 'node:test'
import t from 'tap'
import { onPostgresql } from '@frontdesk/test-kit/database'
import { build } from '../support/helper.js'
import { startIssuer } from '../support/issuer.js'

export const onBothDatabases = true

const HOUR = 3_600

t.test('readiness and one log line report a difference between clocks, but the replica stays ready', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const other = await startIssuer(t)
  other.state.now = Math.floor(Date.now() / 1_000) + HOUR
  const { http, log } = await build(t, { REVOCATIONS_URL: other.url })
  const ready = await http.inject('/health/ready')
  t.match([ready.statusCode, ready.json()], [200, { status: 'ok', checks: { clock: /^3[56]\d\d s behind the authorization server$/ } }])
  const lines = () => log.filter(line => /this machine's clock/.test(line))
  mock.timers.tick(30_000)
  t.equal(lines().length, 1, lines().join(''))
  t.match(lines()[0], '"level":40')
})

t.test('clocks that agree are not reported', async t => {
  const other = await startIssuer(t)
  other.state.now = Math.floor(Date.now() / 1_000) + 55
  const { http } = await build(t, { REVOCATIONS_URL: other.url })
  t.notOk('clock' in (await http.inject('/health/ready')).json().checks)
})

// SQLite has only the machine's clock.
if (onPostgresql) {
  t.test('so is a difference to the database', async t => {
    const { http } = await build(t)
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 100 * 24 * HOUR * 1_000 })
    t.teardown(() => mock.timers.reset())
    const ready = await http.inject('/health/ready')
    t.match([ready.statusCode, ready.json()], [200, { checks: { clock: /^86\d{5} s ahead of the database$/ } }])
  })
}
