import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import t from 'tap'
import { REQUEST_EVENTS } from '../../src/stores/operation/audit.js'
import type { AuditRow } from '../../src/stores/operation/audit-row.js'
import { sealTrail } from '../support/admin/seal.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'
import { runLoaded } from '../support/cli/loaded.js'
import { connectTo } from '../support/database.js'

const SECRET_KEY = 'abcdefghijklmnopqrstuvwxyz0123456789'

t.test('every command that changes something is in the audit trail, with who gave it', async t => {
  const { env, stores } = await onDatabase(t)
  const done = (args: string[], input = '') =>
    t.equal(runLoaded([...args, '--json'], { env: { ...env, SECRET_KEY }, input }).code, 0, args.join(' '))
  done(['client', 'add', 'shop', '--name', 'Shop', '--callback', 'https://shop.example/cb'])
  done(['client', 'disable', 'shop'])
  done(['client', 'enable', 'shop'])
  done(['client', 'remove', 'shop', '--yes'])
  done(['user', 'add', 'ann'], 'correct horse\n')
  done(['user', 'passwd', 'ann'], 'other horse\n')
  done(['user', 'disable', 'ann'])
  done(['user', 'enable', 'ann'])
  done(['keys', 'rotate'])
  const rows = (await stores.audit.list({}, 100)).reverse()
  t.same(
    rows.map(({ event }) => event),
    [
      'client add',
      'client disable',
      'client enable',
      'client remove',
      'user add',
      'user passwd',
      'user disable',
      'user enable',
      // The first key of all, and the next one.
      'keys rotate',
      'keys rotate'
    ]
  )
  for (const { outcome, source, details } of rows) {
    t.match({ outcome, source, details }, { outcome: 'done', source: 'cli', details: { by: userInfo().username } })
  }
  t.same(rows.map(({ clientId }) => clientId).slice(0, 4), Array(4).fill('shop'))
  const ann = (await stores.users.find('ann'))?.id
  t.same(rows.map(({ userId }) => userId).slice(4, 8), Array(4).fill(ann))
  t.notMatch(JSON.stringify(rows), /horse/)
})

t.test('the trail is searched by time, person, app, event and reference', async t => {
  const { cli, stores } = await onDatabase(t)
  t.strictSame(cli(['audit', 'list']), { code: 0, stdout: 'No events were found.\n', stderr: '' })
  await stores.users.add({ id: '5b1f2c7e-0000-4000-8000-000000000000', username: 'Ann', passwordHash: '', demo: false })
  const row = (minutesAgo: number, changes: Partial<AuditRow>): AuditRow => {
    const at = new Date(Date.now() - 60_000 * minutesAgo)
    const id = `${at.getTime().toString(16).padStart(12, '0').replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`
    return {
      id,
      at,
      event: 'grant',
      outcome: 'implicit',
      userId: null,
      clientId: null,
      source: '192.0.2.1',
      requestId: null,
      details: {},
      ...changes
    }
  }
  const old = row(90, { userId: '5b1f2c7e-0000-4000-8000-000000000000' })
  const refused = row(30, {
    event: 'refusal',
    outcome: 'invalid_request',
    clientId: 'shop',
    requestId: 'ref-1',
    details: { requested: 'https://shop.example/\u202Ecb' }
  })
  await stores.audit.add([old, refused])

  t.equal(cli(['audit', 'list']).stdout, [
    'TIME                      EVENT    OUTCOME          CLIENT  USER  SOURCE',
    '  REFERENCE  DETAILS',
    `${refused.at.toISOString()}  refusal  invalid_request  shop    -     192.0.2.1`,
    '  ref-1      {"requested":"https://shop.example/\\u202ecb"}',
    `${old.at.toISOString()}  grant    implicit         -       Ann   192.0.2.1`,
    '  -',
    ''
  ].join('\n'))
  const found = (...args: string[]) => {
    const { code, stdout } = cli(['audit', 'list', '--json', ...args])
    t.equal(code, 0, args.join(' '))
    return (JSON.parse(stdout) as Array<{ id: string }>).map(({ id }) => id)
  }
  t.same(found(), [refused.id, old.id])
  t.same(found('--since', '1h'), [refused.id])
  t.same(found('--since', old.at.toISOString()), [refused.id, old.id])
  t.same(found('--user', 'ann'), [old.id])
  t.same(found('--user', old.userId!), [old.id])
  t.same(found('--client', 'shop', '--event', 'refusal'), [refused.id])
  t.match(cli(['audit', 'list', '--event', 'sigin']), {
    code: 1,
    stdout: '',
    stderr: 'There is no event "sigin". Did you mean "sign-in"? Events are sign-in, sign-out, '
  })
  t.match(cli(['audit', 'list', '--user', 'nobody']), { code: 1, stdout: '', stderr: 'No user has the user name "nobody".' })
  t.match(cli(['audit', 'list', '--reference', 'gone']), { code: 0, stdout: /^Not recorded: .*\n- The request caused no event/ })
  for (const none of [
    ['--event', 'client secret add'],
    ['--event', 'token'],
    ['--user', '5b1f2c7e-0000-4000-8000-000000000001']
  ]) { t.match(cli(['audit', 'list', ...none]), { code: 0, stdout: 'No events were found.\n' }) }
  t.same(found('--reference', 'ref-1'), [refused.id])
  t.same(found('--before', refused.id), [old.id])
  t.match(cli(['audit', 'list', '--limit', '1']).stderr, `--before ${refused.id}`)
  for (const [option, value, said] of [['--since', 'soon', 'Give a time'], ['--limit', '0', 'whole number from 1 to 10000']] as const) {
    t.match(cli(['audit', 'list', option, value]), { code: 2, stderr: said })
  }
})

t.test('docs/operations/audit.md has every event that requests record', t => {
  const [page = ''] = readFileSync(new URL('../../../../../docs/operations/audit.md', import.meta.url), 'utf8').split('\n## ')
  t.same([...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, event]) => event).sort(), [...REQUEST_EVENTS].sort())
  t.end()
})

t.test('a seal that fails is named, and the exit code is 1', async t => {
  const { env, stores } = await onDatabase(t)
  const verify = (...more: string[]) => runLoaded(['audit', 'verify', ...more], { env: { ...env, SECRET_KEY } })
  t.strictSame(verify(), { code: 0, stdout: 'No events are sealed yet.\n', stderr: '' })
  for (const id of ['shop', 'desk']) {
    t.equal(runLoaded(['client', 'add', id, '--name', 'Shop', '--callback', 'https://shop.example/cb'], { env, input: '' }).code, 0)
    await sealTrail(stores, { SECRET_KEY })
  }
  t.match(verify(), { code: 0, stdout: /^All 2 seals are valid, covering 2 events\. The newest is seal 2, made at 20\S+Z\.\n$/, stderr: '' })
  t.match(verify('--after', '1').stdout, /^One seal is valid, covering 1 event\. /)
  const thief = await connectTo(env.DATABASE_URL)
  await thief.query("UPDATE audit SET client_id = 'other' WHERE position = 2")
  await thief.close()
  t.strictSame(verify(), { code: 1, stdout: 'Seal 2 fails: rows were changed.\n', stderr: '' })
  t.match(JSON.parse(verify('--json').stdout), { seals: 2, events: 2, newest: { seal: 2 }, failed: [{ seal: 2 }] })
  t.match(runLoaded(['audit', 'verify'], { env: { ...env, SECRET_KEY: SECRET_KEY.toUpperCase() } }), { code: 1, stdout: '', stderr: /SECRET_KEY is not the one/ })
})
