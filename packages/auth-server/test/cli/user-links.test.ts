import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { createPasswordLinks } from '../../src/sign-in/password-link.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

t.test('an invited person has attributes and no password, and a link that sets one', async t => {
  const { cli, stores } = await onDatabase(t)
  const made = JSON.parse(cli(['user', 'invite', 'Ann', '--name', 'Ann Example', '--json']).stdout)
  t.match(made, { username: 'Ann', name: 'Ann Example', link: /^http:\/\/localhost:3000\/set-password\?link=[\w.-]+$/ })
  const day = Date.parse(made.linkEndsAt) - Date.parse(made.createdAt)
  t.ok(Math.abs(day - 86_400_000) < 60_000)
  const links = createPasswordLinks(stores, loadConfig({}))
  t.match(await links.find(new URL(made.link).searchParams.get('link')!, new Date()), { user: { username: 'Ann' }, isInvitation: true })
  t.match(cli(['user', 'invite', 'bob']).stdout,
    /^Registered "bob"\. With this link, "bob" can set a password, once, until \d{4}-\d\d-\d\d \d\d:\d\dZ\. Don't share it with anyone else:\nhttp\S+\n$/)
  t.same(cli(['user', 'invite', 'ANN']), {
    code: 1,
    stdout: '',
    stderr: 'The user name "ANN" is taken; upper and lower case make no difference. ' +
      'To let them choose a password: frontdesk-auth user reset-link ANN\n'
  })
  t.match(await stores.audit.list({}, 10), [{ event: 'user invite' }, { event: 'user invite' }])
  t.notMatch(JSON.stringify(await stores.audit.list({}, 10)), 'link')
})

t.test('a reset link changes nothing until it is used', async t => {
  const { cli, stores } = await onDatabase(t)
  cli(['user', 'add', 'ann'], 'correct horse')
  const before = await stores.users.find('ann')
  const { stdout } = cli(['user', 'reset-link', 'ann'])
  t.match(stdout, /^With this link, "ann" can set a password, once, until .*\nhttp:\/\/localhost:3000\/set-password\?link=\S+\n$/)
  t.same(await stores.users.find('ann'), before)
  cli(['user', 'disable', 'ann'])
  t.same(cli(['user', 'reset-link', 'ann']), { code: 1, stdout: '', stderr: '"ann" is disabled. To enable: frontdesk-auth user enable ann\n' })
  t.match(cli(['user', 'reset-link', 'anm']), { code: 1, stderr: /No user has the user name "anm"\. Did you mean "ann"\?/ })
})
