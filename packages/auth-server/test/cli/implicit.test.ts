import t from 'tap'
import { isoWeek } from '../../src/stores/operation/implicit-use-counter.js'
import { parsePolicy, writePolicy } from '../../src/admin/implicit-policy.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

const add = (id: string, ...more: string[]) => [
  'client',
  'add',
  id,
  '--name',
  `App ${id}`,
  '--callback',
  'https://shop.example/cb',
  '--grant',
  'implicit',
  ...more
]
const DAY = 86_400_000

t.test('client implicit leads an app away from the implicit grant, and back', async t => {
  const { cli, stores } = await onDatabase(t)
  cli(add('shop'))
  const policy = async () => {
    const { implicit, implicitUntil } = (await stores.clients.find('shop'))!
    return [implicit, implicitUntil?.toISOString() ?? null]
  }
  t.strictSame(cli(['client', 'implicit', 'shop', 'warn']), { code: 0, stdout: 'The implicit grant of "shop": warn.\n', stderr: '' })
  t.same(await policy(), ['warn', null])
  const since = (await stores.clients.find('shop'))?.implicitDeprecatedAt
  t.match(cli(['client', 'implicit', 'shop', 'until', '2030-01-31']), {
    code: 0,
    stdout: 'The implicit grant of "shop": until 2030-01-31.\n'
  })
  t.same(await policy(), ['until', '2030-01-31T00:00:00.000Z'])
  t.same((await stores.clients.find('shop'))?.implicitDeprecatedAt, since)
  t.match(cli(['client', 'show', 'shop']).stdout, /^Implicit grant +until 2030-01-31$/m)
  t.match(JSON.parse(cli(['client', 'implicit', 'shop', 'until', '2030-01-31T12:00:00+02:00', '--json']).stdout), {
    implicit: 'until',
    implicitUntil: '2030-01-31T10:00:00.000Z'
  })
  cli(['client', 'implicit', 'shop', 'off', '--code'])
  cli(['client', 'implicit', 'shop', 'off', '--code'])
  t.same((await stores.clients.find('shop'))?.grantTypes, ['authorization_code'], 'once')
  t.same(await policy(), ['off', null])
  cli(['client', 'implicit', 'shop', 'allowed'])
  t.same(await policy(), ['allowed', null])
  t.same((await stores.audit.list({ event: 'client implicit' }, 10)).map(({ details }) => details.policy),
    ['allowed', 'off', 'off', 'until 2030-01-31T10:00:00.000Z', 'until 2030-01-31', 'warn'])

  t.match(cli(['client', 'implicit', 'shop', 'until', 'soon']), {
    code: 2,
    stdout: '',
    stderr: 'Use allowed, warn, off, or until and a date such as 2030-01-31.'
  })
  for (const wrong of [
    'until',
    'until soon',
    'until 2030-02-31',
    'until 2030-01-31T99:00Z',
    'until 2030-01-31T12:00',
    'warn 2030-01-31',
    'maybe',
    ''
  ]) { t.throws(() => parsePolicy(wrong), /^Use allowed, warn, off, or until/, wrong) }
  for (const right of ['allowed', 'warn', 'off', 'until 2030-01-31', 'until 2030-01-31T12:00:00.000Z']) {
    t.equal(writePolicy(parsePolicy(right)), right)
  }
  t.match(cli(['client', 'implicit', 'nobody', 'off']), { code: 1, stderr: 'No client has the client_id "nobody".' })
})

t.test('client add takes the same policies', async t => {
  const { cli, stores } = await onDatabase(t)
  for (const [id, args, implicit] of [
    ['a', ['--implicit', 'warn'], 'warn'],
    ['b', ['--implicit', 'until 2030-01-31'], 'until'],
    ['c', ['--implicit', 'off'], 'off']
  ] as const) {
    t.equal(cli(add(id, ...args)).code, 0, id)
    t.equal((await stores.clients.find(id))?.implicit, implicit, id)
  }
  t.match(cli(add('f', '--implicit', 'until')), { code: 2, stderr: 'Use allowed, warn, off, or until and a date' })
})

t.test('a date that has passed is refused: ending the implicit grant now is off', async t => {
  const { cli, stores } = await onDatabase(t)
  cli(add('shop'))
  const before = await stores.clients.list()
  const refusal = { code: 2, stdout: '', stderr: 'The date 2020-01-31 has passed. To end the implicit grant now, use off.' }
  t.match(cli(['client', 'implicit', 'shop', 'until', '2020-01-31']), refusal)
  t.match(cli(['client', 'update', 'shop', '--implicit', 'until 2020-01-31']), refusal)
  t.match(cli(add('other', '--implicit', 'until 2020-01-31')), refusal)
  const file = (until: string) =>
    JSON.stringify({
      clients: [{ clientId: 'shop', name: 'App shop', callbacks: ['https://shop.example/cb'], implicit: `until ${until}`, grantTypes: [] }]
    })
  t.match(cli(['apply', '-f', '-'], file('2020-01-31')), {
    code: 1,
    stdout: '',
    stderr: '"shop": implicit: The date 2020-01-31 has passed.'
  })
  t.match(cli(['apply', '-f', '-', '--diff'], file('2020-01-31')).code, 1)
  t.strictSame(await stores.clients.list(), before)

  await stores.clients.setImplicit('shop', { implicit: 'until', implicitUntil: new Date('2020-01-31') }, new Date())
  t.match(
    cli(['apply', '-f', '-'], file('2020-01-31')).stdout,
    '0 added, 0 changed, 0 removed, 1 unchanged.',
    'a date that has passed since'
  )
  t.equal(cli(['client', 'remove', 'shop', '--yes']).code, 0)
  t.match(cli(['apply', '-f', '-'], file('2020-01-31')).stdout, '1 added', 'an old export is restored')
})

t.test('report implicit says of each app how much it uses the grant, whether it could move, and the command', async t => {
  const { cli, stores } = await onDatabase(t)
  t.equal(cli(['report', 'implicit']).stdout, 'No clients are registered.\n')
  const now = Date.now()
  const date = (days: number) => new Date(now + days * DAY).toISOString().slice(0, 10)
  for (const [id, policy] of [
    ['busy', 'allowed'],
    ['ended', `until ${date(-1)}`],
    ['idle', 'warn'],
    ['moved', 'off'],
    ['noticed', `until ${date(30)}`]
  ] as const) {
    await stores.clients.add({
      id,
      name: id,
      callbacks: ['https://shop.example/cb'],
      grantTypes: [],
      demo: false,
      ...parsePolicy(policy),
      implicitDeprecatedAt: new Date(now)
    })
  }
  await stores.clients.add({
    id: 'job',
    name: 'job',
    callbacks: [],
    grantTypes: [],
    demo: false,
    implicit: 'allowed'
  })
  const use = (clientId: string, daysAgo: number, uses: number) => {
    const at = new Date(now - daysAgo * DAY)
    return { clientId, week: isoWeek(at), uses, firstAt: at, lastAt: at }
  }
  await stores.implicitUses.add([use('busy', 8, 12), use('busy', 1, 30), use('ended', 2, 1), use('idle', 100, 4), use('noticed', 1, 1)])

  const report = JSON.parse(cli(['report', 'implicit', '--json']).stdout) as Array<Record<string, unknown>>
  t.match(report, [
    {
      clientId: 'busy',
      policy: 'allowed',
      firstUse: new Date(now - 8 * DAY).toISOString(),
      lastUse: new Date(now - DAY).toISOString(),
      weeks: [{ uses: 12 }, { uses: 30 }],
      callbacks: ['https://shop.example/cb'],
      canMove: true,
      obstacles: [],
      hasCode: false,
      command: `frontdesk-auth client implicit busy until ${date(90)} --code`
    },
    { clientId: 'ended', policy: `until ${date(-1)}`, command: 'frontdesk-auth client implicit ended off --code' },
    { clientId: 'idle', policy: 'warn', command: 'frontdesk-auth client implicit idle off --code' },
    { clientId: 'job', policy: 'allowed', hasCode: false, canMove: false, command: 'frontdesk-auth client implicit job off' },
    { clientId: 'noticed', policy: `until ${date(30)}`, command: `frontdesk-auth client implicit noticed until ${date(30)} --code` },
    { clientId: 'moved', policy: 'off', firstUse: null, lastUse: null, weeks: [], command: null }
  ])
  const text = cli(['report', 'implicit']).stdout
  t.match(text, new RegExp(`^Uses a week +${isoWeek(new Date(now - 8 * DAY))}: 12, ${isoWeek(new Date(now - DAY))}: 30$`, 'm'))
  t.match(text, /^Code grant +not yet: add it with --code$/m)
  t.match(text, /^Client ID +job\n.*^Code grant +no\nCould move +no: It has no callback/ms)
  t.match(text, /\n\nOff, and never used: moved\.\n$/)
  t.notMatch(text, /^Client ID +moved/m)

  for (const { command } of report) if (typeof command === 'string') t.equal(cli(command.split(' ').slice(1)).code, 0, command)
  const after = JSON.parse(cli(['report', 'implicit', '--json']).stdout) as Array<{
    clientId: string
    policy: string
    hasCode: boolean
    command: string | null
  }>
  t.same(
    after.map(({ clientId, policy, hasCode, command }) => [clientId, policy, hasCode, command]),
    [
      ['busy', `until ${date(90)}`, true, null],
      ['ended', 'off', true, null],
      ['idle', 'off', true, null],
      ['noticed', `until ${date(30)}`, true, null],
      ['job', 'off', false, null],
      ['moved', 'off', false, null]
    ]
  )
  t.match(cli(['report', 'implicit']).stdout, /^Client ID +idle\n.*?^Could move +it has moved\nCommand +none needed$/ms)
})
