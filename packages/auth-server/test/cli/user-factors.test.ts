import t from 'tap'
import { loadConfig } from '../../src/config.js'
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
