import t from 'tap'
import { hashSignUpCode } from '../../src/sign-in/sign-up-code.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

t.test('invitation codes are created, listed and removed; none gives a built-in role', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.roles.add('partner', ['customer:read'])
  t.equal(cli(['sign-up', 'list']).stdout, 'There are no invitation codes.\n')
  const { stdout } = cli(['sign-up', 'code', '--label', 'Partners', '--uses', '3', '--days', '1', '--role', 'partner'])
  const [, code = ''] = /^For 3 people, until .+Z\. The code is shown only now:\n((?:[B-Z]{4}-){3}[B-Z]{4})\n\S+\/sign-up\?code=\1\n$/.exec(stdout) ?? []
  t.equal(await stores.signUpCodes.isLive(hashSignUpCode(code)), true)
  const [row] = await stores.signUpCodes.list()
  t.match(row, { label: 'Partners', usesLeft: 3, role: 'partner' })
  t.equal(row!.expiresAt.getTime() - row!.createdAt.getTime(), 86_400_000)
  t.match(cli(['sign-up', 'list']).stdout, new RegExp(`${row!.id} +"?Partners"? +3 +\\S.*Z +partner *\n`))
  t.notMatch(cli(['sign-up', 'list', '--json']).stdout, code)
  t.match(JSON.parse(cli(['sign-up', 'code', '--json']).stdout), { label: 'Invitation', usesLeft: 1, role: null })
  for (const [args, code, stderr] of [
    [['--role', 'administrator'], 1, /^The role "?administrator"? is built in/],
    [['--role', 'partnr'], 1, /^There is no role "?partnr"?\. Did you mean/],
    [['--label', ''], 1, /^The label is empty/],
    [['--uses', '0'], 2, /from 1 to 10000/],
    [['--days', '366'], 2, /from 1 to 365/]
  ] as const) t.match(cli(['sign-up', 'code', ...args]), { code, stderr }, args.join(' '))
  t.match(cli(['sign-up', 'remove', row!.id]), { code: 0, stdout: `Removed the invitation code ${row!.id}.\n` })
  t.match(cli(['sign-up', 'remove', row!.id]), { code: 1, stderr: /^There is no invitation code/ })
  t.match(await stores.audit.list({}, 9), [{ event: 'sign-up code remove' }, { event: 'sign-up code add' }, { event: 'sign-up code add', details: { uses: 3, role: 'partner' } }])
})

t.test('the accepted terms are shown', async t => {
  const { cli, stores } = await onDatabase(t)
  const user = { id: 'ivy', username: 'ivy', passwordHash: 'x', email: 'ivy@example.com', termsVersion: '2026-11' }
  await stores.signUps.add(user, { idHash: 'x', keptUntil: new Date(Date.now() + 60_000), codeHash: undefined, needsCode: false })
  t.match(cli(['user', 'show', 'ivy']).stdout, /Terms +"?2026-11"? accepted \d{4}-\S+Z\n/)
  t.match(JSON.parse(cli(['user', 'export', 'ivy', '--json']).stdout), { user: { termsVersion: '2026-11' } })
})
