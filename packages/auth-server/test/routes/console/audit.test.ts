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
  t.match((await eve.open('/audit?reference=gone')).body, 'Nothing is recorded for this reference.')

  const failed = await eve.open('/audit?event=sign-in&outcome=wrong&source=192.0.2.77&since=2020-01-01&until=2100-01-01T12:00')
  t.match(failed.body, 'sign-in: wrong')
  t.match(failed.body, '>ann</a>')
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
