import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { createFactorLinks } from '../../src/sign-in/factor-link.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'
import { addAuthenticator } from '../support/factors.js'

t.test('an operator sees whether a user signs in with a second factor, and removes it', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.users.add({ id: 'zoe', username: 'Zoë', passwordHash: '$x', demo: false })
  t.match(cli(['user', 'show', 'Zoë']).stdout, /^Two-step +off$/m)
  t.strictSame(cli(['user', 'remove-factors', 'Zoë']), {
    code: 0, stdout: 'Nothing to remove: two-step sign-in is off for "Zoë".\n', stderr: ''
  })
  const { secret } = await addAuthenticator(stores, loadConfig({}), (await stores.users.find('Zoë'))!)
  const shown = cli(['user', 'show', 'Zoë']).stdout
  t.match(shown, /^Two-step +on since \d{4}-.*, not used yet; passkeys: 0; recovery codes: 10; trusted browsers: 0$/m)
  t.notMatch(shown, secret)
  t.match(JSON.parse(cli(['user', 'show', 'Zoë', '--json']).stdout).factors, { authenticator: { lastUsedAt: null }, recoveryCodes: 10, trustedBrowsers: 0 })
  t.strictSame(cli(['user', 'remove-factors', 'Zoë']), {
    code: 0, stdout: 'Turned off two-step sign-in for "Zoë". They can sign in with their password alone, unless a role or client requires a second factor.\n', stderr: ''
  })
  t.equal((await stores.users.find('Zoë'))?.factors, null)
  t.match(await stores.audit.list({ event: 'user remove-factors' }, 1), [{ userId: 'zoe', details: { removed: ['totp'] } }])
  t.match(cli(['user', 'remove-factors', 'zoé']), { code: 1, stderr: 'No user has the user name' })
})

t.test('an operator prints a link with which a user sets up a first factor', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.users.add({ id: 'zoe', username: 'Zoë', passwordHash: '$x', demo: false })
  const { stdout } = cli(['user', 'factor-link', 'Zoë'])
  const [, link = ''] = /^With this link and their password, "Zoë" can set up a second factor, once, until \d{4}-\d\d-\d\d \d\d:\d\dZ\. Don't share it with anyone else:\nhttp:\/\/localhost:3000\/set-up-factor\?link=(\S+)\n$/
    .exec(stdout) ?? []
  t.match(await createFactorLinks(stores, loadConfig({})).find(link, new Date()), { user: { username: 'Zoë' }, use: { shownTo: undefined } })
  const made = JSON.parse(cli(['user', 'factor-link', 'Zoë', '--json']).stdout)
  t.match(made, { id: 'zoe', username: 'Zoë', link: /^http:\/\/localhost:3000\/set-up-factor\?link=[\w.-]+$/, linkEndsAt: /Z$/ })
  t.match(await stores.audit.list({ event: 'user factor-link' }, 5), [{ userId: 'zoe' }, { userId: 'zoe' }])
  t.notMatch(JSON.stringify(await stores.audit.list({}, 10)), link)

  await addAuthenticator(stores, loadConfig({}), (await stores.users.find('Zoë'))!)
  t.strictSame(cli(['user', 'factor-link', 'Zoë']), {
    code: 1,
    stdout: '',
    stderr: '"Zoë" already has a second factor. If it is lost, remove it first. To remove it: frontdesk-auth user remove-factors Zoë\n'
  })
  cli(['user', 'disable', 'Zoë'])
  t.match(cli(['user', 'factor-link', 'Zoë']).stderr, /^"Zoë" is disabled\. To enable: frontdesk-auth user enable Zoë$/m)
  cli(['user', 'invite', 'ann'])
  t.match(cli(['user', 'factor-link', 'ann']), { code: 1, stderr: '"ann" has not set a password yet.' })
})
