import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import t from 'tap'
import { accountKey, PER_ACCOUNT } from '../../src/sign-in/account-limit.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

t.test('an operator ends one session of a person, unlocks them, and exports what is stored', async t => {
  const { cli, stores } = await onDatabase(t)
  const id = randomUUID()
  await stores.users.add({ id, username: 'Zoë', passwordHash: '$x', demo: false })
  const user = (await stores.users.find('Zoë'))!
  t.equal(cli(['user', 'sessions', 'Zoë']).stdout, '"Zoë" is not signed in anywhere.\n')
  const [authTime, expiresAt] = [new Date(), new Date(Date.now() + 3_600_000)]
  await stores.sessions.add({ idHash: 'one', user, authTime, amr: 'pwd', expiresAt, userAgent: 'Firefox' })
  await stores.sessions.add({ idHash: 'two', user, authTime, amr: 'pwd', expiresAt })
  t.match(cli(['user', 'sessions', 'Zoë']).stdout, /^SESSION +SIGNED IN +LAST SEEN +BROWSER\n.*\n.*\n$/)
  t.equal(JSON.parse(cli(['user', 'sessions', 'Zoë', '--json']).stdout).length, 2)
  t.strictSame(cli(['user', 'end-session', 'Zoë', 'one']), { code: 0, stdout: 'Signed out "Zoë" on that device.\n', stderr: '' })
  t.strictSame(cli(['user', 'end-session', 'Zoë', 'one']), {
    code: 1, stdout: '', stderr: '"Zoë" has no session "one". To see all: frontdesk-auth user sessions Zoë\n'
  })
  t.match(JSON.parse(cli(['user', 'sessions', 'Zoë', '--json']).stdout), [{ id: 'two', userAgent: null }])

  t.match(cli(['user', 'failed-sign-ins', 'Zoë']).stdout, /has not failed/)
  t.match(cli(['user', 'unlock', 'Zoë']).stdout, /^There was nothing to unlock/)
  const throttle = stores.throttles.under(PER_ACCOUNT[0]!)
  for (let times = 0; times < 6; times++) await throttle.count(accountKey('zoë', '192.0.2.1'))
  t.match(cli(['user', 'failed-sign-ins', 'Zoë']).stdout, /^FROM .*\n192\.0\.2\.1 +5 +refused /)
  t.equal(cli(['user', 'unlock', 'Zoë']).stdout, '"Zoë" can try to sign in again.\n')
  t.match(cli(['user', 'failed-sign-ins', 'Zoë']).stdout, /has not failed/)

  const data = JSON.parse(cli(['user', 'export', 'Zoë']).stdout)
  t.match(data, { user: { id, username: 'Zoë' }, sessions: [{ userAgent: null }], isComplete: true })
  t.match((await stores.audit.list({ userId: id }, 10)).map(({ event, details }) => [event, details.by]),
    ['user export', 'user unlock', 'user end-session'].map(event => [event, userInfo().username]))
})
