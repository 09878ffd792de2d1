import t from 'tap'
import { setTimeout as delay } from 'node:timers/promises'
import { Browser, query } from '../../support/helper.js'
import { buildConsole } from '../../support/admin/console.js'

export const onBothDatabases = true

t.test('the audit trail is found by the reference of an error page, and filtered in the address', async t => {
  const { add, as, app, stores } = await buildConsole(t)
  await add('eve', 'auditor')
  const broken = await new Browser(app).get(`/authorize?${query({ redirect_uri: 'https://evil.example/<b>' })}`)
  const reference = /Reference: <code>([^<]+)/.exec(broken.body)?.[1] ?? ''
  await new Browser(app, '192.0.2.77').allow(query(), { username: 'ann', password: 'wrong' })
  const eve = as('eve')
  while ((await stores.audit.list({ event: 'sign-in' }, 1)).length === 0) await delay(20)
  const found = await eve.open(`/audit?reference=${encodeURIComponent(reference)}`)
  t.match(found.body, /refusal: invalid_request/)
  t.match(found.body, 'evil.example/&lt;b&gt;')
  t.equal(found.body.match(/<tr>/g)?.length, 2, 'a head and one event')
  const gone = await eve.open('/audit?reference=gone')
  t.match(gone.body, '<h2>Not recorded</h2>')
  t.match(gone.body, 'removed, after AUDIT_RETENTION days')
  t.match((await eve.open('/audit?reference=gone&event=sign-in')).body, 'No events match.')

  const failed = await eve.open('/audit?event=sign-in&outcome=wrong&source=192.0.2.77&since=2020-01-01&until=2100-01-01T12:00')
  t.match(failed.body, 'sign-in: wrong')
  t.match(failed.body, '><bdi>ann</bdi></a>')
  t.match(failed.body, /name="source" value="192\.0\.2\.77"/)
  for (const [filter, sentence] of [
    ['user=unknown-user', 'No user has the user name'],
    ['event=nothing', 'There is no event'],
    ['since=tomorrow', 'must be times in UTC'],
    ['until=2030-02-41', 'must be times in UTC']
  ] as const) {
    const refused = await eve.open(`/audit?${filter}`)
    t.equal(refused.statusCode, 200, filter)
    t.match(refused.body, sentence)
  }
  const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  for (const odd of ['before=nonsense', `before=${last}`, 'since=0001-01-01', 'since=9999-12-31', 'until=0001-01-01']) {
    t.equal((await eve.open(`/audit?${odd}`)).statusCode, 200, odd)
  }
})

t.test('the audit trail is paged, newest first', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('eve', 'auditor')
  const at = new Date()
  const row = { at, event: 'token', outcome: 'done', userId: null, clientId: 'app', source: null, requestId: null }
  await stores.audit.add(Array.from({ length: 60 }, (_, index) => ({
    ...row, id: `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`, details: { number: index }
  })))
  const eve = as('eve')
  const first = await eve.open('/audit?client=app&event=token')
  t.match(first.body, 'number: 59')
  t.notMatch(first.body, 'number: 9<')
  const older = /href="(\?[^"]+)">Older/.exec(first.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await eve.open(`/audit${older}`)
  t.match(second.body, 'number: 9<')
  t.match(second.body, 'Newest')
  t.notMatch(second.body, 'Older')
})

t.test('an event opens with the whole request: all events with its reference, in order', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('eve', 'auditor')
  const id = (number: number) => `01900000-0000-7000-8000-00000000000${number}`
  const row = { at: new Date('2030-01-31T12:00:00Z'), userId: null, clientId: 'app', source: '192.0.2.1', requestId: 'ref-1' }
  await stores.audit.add([
    { ...row, id: id(1), event: 'sign-in', outcome: 'signed in', details: {} },
    { ...row, id: id(2), event: 'grant', outcome: 'implicit', details: { scope: 'customer:read <b>' } },
    { ...row, id: id(3), event: 'token', outcome: 'refresh_token', requestId: 'ref-2', details: {} },
    { ...row, id: id(4), event: 'keys rotate', outcome: 'done', requestId: null, details: { by: 'root' } }
  ])
  const eve = as('eve')
  t.match((await eve.open('/audit')).body, `href="/admin/audit/${id(2)}"`)
  const { body } = await eve.open(`/audit/${id(2)}`)
  t.match(body, '<h1><bdi>grant: implicit</bdi></h1>')
  t.match(body, '2030-01-31T12:00:00.000Z')
  t.match(body, 'customer:read &lt;b&gt;')
  t.same([...body.matchAll(/href="\/admin\/audit\/(\S+)"( aria-current="page")?/g)].map(([, id, current]) => [id, current !== undefined]), [
    [id(1), false], [id(2), true]
  ])
  t.match((await eve.open(`/audit/${id(3)}`)).body, 'This request has no other events.')
  t.notMatch((await eve.open(`/audit/${id(4)}`)).body, 'Events of this request')
  for (const other of [id(9), 'x', 'app']) t.equal((await eve.open(`/audit/${other}`)).statusCode, 404)
})

t.test('what is filtered is exported as JSON lines and as CSV, in which no cell is a formula', async t => {
  const { add, as, stores } = await buildConsole(t)
  const eveId = await add('eve', 'auditor')
  const row = { at: new Date('2030-01-31T12:00:00Z'), userId: null, source: '192.0.2.1', requestId: null }
  await stores.audit.add([
    { ...row, id: '01900000-0000-7000-8000-000000000001', event: 'refusal', outcome: 'invalid_request', clientId: '=cmd|"x"', details: { reason: 'a,\r\nb' } },
    { ...row, id: '01900000-0000-7000-8000-000000000002', event: 'refusal', outcome: '+1', clientId: 'app', userId: eveId, details: { by: eveId } },
    { ...row, id: '01900000-0000-7000-8000-000000000003', event: 'token', outcome: 'done', clientId: 'app', details: {} }
  ])
  const eve = as('eve')
  const page = await eve.open('/audit?event=refusal&since=2000-01-01')
  const links = [...page.body.matchAll(/href="\/admin(\/audit\/export[^"]+)" download/g)].map(([, path]) => path!.replaceAll('&amp;', '&'))
  t.same(links, ['jsonl', 'csv'].map(ending => `/audit/export.${ending}?event=refusal&since=2000-01-01`))
  const [lines, csv] = await Promise.all(links.map(path => eve.open(path)))
  t.match(lines!.headers, {
    'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'content-disposition': /^attachment; filename="audit-\d{4}-\d\d-\d\d\.jsonl"$/
  })
  t.match(lines!.body.trim().split('\n').map(line => JSON.parse(line)), [{ outcome: '+1', username: 'eve', byUsername: 'eve' }, { clientId: '=cmd|"x"' }])
  t.match(csv!.headers, { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': /\.csv"$/ })
  t.equal(csv!.body, [
    'id,at,event,outcome,user_id,username,by,by_username,client_id,source,reference,details',
    `"01900000-0000-7000-8000-000000000002","2030-01-31T12:00:00.000Z","refusal","'+1","${eveId}","eve","${eveId}","eve","app","192.0.2.1",,"{""by"":""${eveId}""}"`,
    '"01900000-0000-7000-8000-000000000001","2030-01-31T12:00:00.000Z","refusal","invalid_request",,,,,"\'=cmd|""x""","192.0.2.1",,"{""reason"":""a,\\r\\nb""}"',
    ''
  ].join('\r\n'))
  for (const query of ['since=tomorrow', 'user=unknown-user', 'event=nothing']) {
    t.equal((await eve.open(`/audit/export.csv?${query}`)).statusCode, 404, query)
  }
  t.match((await eve.open('/audit?since=tomorrow')).body, /^(?!.*audit\/export)/s, 'no link to a list that is not there')
})

t.test('a change in the console has the reference of its request', async t => {
  const { add, as, stores } = await buildConsole(t)
  const [id] = [await add('zoe'), await add('root', 'administrator')]
  const { headers } = await as('root').send(`/people/${id}/sign-out`)
  t.match(await stores.audit.list({ requestId: String(headers['x-request-id']) }, 9), [{ event: 'user sign-out', userId: id }])
})

t.test('a changed app has each changed field with its values before and after', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('eve', 'auditor')
  const side = (callbacks: string[], signInRoles: string[], accessTokenTtl: number | null) => ({ callbacks, signInRoles, accessTokenTtl })
  const nobody = { userId: null, source: null, requestId: null }
  const details = {
    by: 'cli',
    before: side(['https://a.example/1'], [], 60),
    after: side(['https://a.example/1', 'https://a.example/2'], ['staff'], null)
  }
  await stores.audit.add([
    { ...nobody, id: '01900000-0000-7000-8000-000000000001', at: new Date(), event: 'client update', outcome: 'done', clientId: 'app', details }
  ])
  const { body } = await as('eve').open('/audit?client=app')
  t.match(body, 'callbacks: https://a.example/1 → https://a.example/1, https://a.example/2<')
  t.match(body, 'signInRoles: none → staff<')
  t.match(body, 'accessTokenTtl: 60 → none<')
})
