import t from 'tap'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

t.test('an operator sees the account at the upstream provider with which a user signs in', async t => {
  const { cli, stores } = await onDatabase(t)
  const zoe = { id: 'zoe', username: 'Zoë', passwordHash: '$x', demo: false }
  await stores.users.add(zoe)
  t.notMatch(cli(['user', 'show', 'Zoë']).stdout, 'Upstream')
  const issuer = 'https://upstream.example'
  await stores.upstreamIdentities.connect({ ...zoe, epoch: 0 }, { idHash: 'hash-of-sub', issuer })
  t.match(cli(['user', 'show', 'Zoë']).stdout, /^Upstream +https:\/\/upstream\.example since \d{4}-.*, not used yet$/m)
  await stores.upstreamIdentities.use('hash-of-sub', 'zoe', new Date())
  t.match(cli(['user', 'show', 'Zoë']).stdout, /^Upstream +.*, last used \d{4}-/m)
  t.match(JSON.parse(cli(['user', 'show', 'Zoë', '--json']).stdout).factors.upstream, { issuer, createdAt: /Z$/, lastUsedAt: /Z$/ })
  const exported = cli(['user', 'export', 'Zoë']).stdout
  t.match(JSON.parse(exported).upstreamIdentities, [{ issuer }])
  t.notMatch(exported, 'hash-of-sub')
  t.match(cli(['user', 'disconnect', 'Zoë']), { code: 0, stdout: /^Disconnected the account of "?Zoë"? at https:\/\/upstream\.example, and signed/ })
  t.match(cli(['user', 'disconnect', 'Zoë']), { code: 0, stdout: /^Nothing to disconnect/ })
  t.match(cli(['user', 'disconnect', 'Zo']), { code: 1, stderr: /^No user has the user name/ })
  t.notMatch(cli(['user', 'show', 'Zoë']).stdout, 'Upstream')
  t.match(await stores.audit.list({ event: 'user disconnect' }, 9), [{ userId: 'zoe', details: { issuer } }])
})
