import { timeId } from '@frontdesk/service-kit/time-id'
import t, { type Test } from 'tap'
import { DAY_MS } from '../../../src/lifetimes.js'
import type { NewAuditRow } from '../../../src/stores/operation/audit-row.js'
import { isoWeek } from '../../../src/stores/operation/implicit-use-counter.js'
import { client } from '../../support/helper.js'
import { buildConsole } from '../../support/admin/console.js'

/** An administrator, and the app `old` that used the implicit grant some days ago. */
async function setUp (t: Test, daysAgo = 3) {
  const built = await buildConsole(t)
  await built.add('root', 'administrator')
  const { stores } = built
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
  await stores.clients.put(client({ id: 'old', name: 'Old <app>', implicit: 'allowed' }))
  await stores.implicitUses.add([5, 7].map(uses => {
    const at = ago(daysAgo + (uses === 5 ? 7 : 0))
    return { clientId: 'old', week: isoWeek(at), uses, firstAt: at, lastAt: at }
  }))
  const row = (days: number, userId: string, changes: Partial<NewAuditRow> = {}): NewAuditRow => ({
    id: timeId(ago(days)),
    at: ago(days),
    event: 'grant',
    outcome: 'implicit',
    userId,
    clientId: 'old',
    source: null,
    requestId: null,
    details: {},
    ...changes
  })
  return { ...built, root: built.as('root'), row, find: async () => await stores.clients.find('old') }
}

const ticksOf = (body: string) => [...body.matchAll(/class="unseen">(Done|To do):/g)].map(([, tick]) => tick)
const tomorrow = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10)

t.test('the end of the implicit grant is previewed with the people who use it, and set by Save only', async t => {
  const { root, row, stores, find } = await setUp(t)
  await stores.audit.add([row(5, 'ann'), row(4, 'ann'), row(3, 'bea'), row(60, 'cem')])
  const { body } = await root.open('/apps/old/implicit')
  t.match(body, '<strong>2</strong> people got a token with the implicit grant in the last 4 weeks')
  t.notMatch(body, 'id="preview"')

  const preview = await root.open(`/apps/old/implicit?policy=until&date=${tomorrow}&code=yes`)
  t.match(preview.body, '<strong>2 people</strong> used the implicit grant')
  t.match(preview.body, 'The app can also use the authorization code grant.')
  t.match(preview.body, `name="policy" value="until ${tomorrow}"`)
  t.notMatch(preview.body, 'people can\'t sign in to it')
  t.match(await find(), { implicit: 'allowed', grantTypes: [] })

  const from = '/apps/old/implicit'
  t.equal((await root.send('/apps/old/implicit', { policy: `until ${tomorrow}`, code: 'yes' }, from)).headers.location, '/admin/apps/old/implicit')
  t.match(await find(), { implicit: 'until', implicitUntil: new Date(tomorrow), grantTypes: ['authorization_code'] })

  await stores.clients.put(client({ id: 'old', implicit: 'allowed' }))
  t.match((await root.open('/apps/old/implicit?policy=off')).body, 'people can&#39;t sign in to it any more.')
  t.match((await root.open('/apps/old/implicit?policy=warn')).body, 'Nothing changes for people.')
  for (const [search, sentence] of [
    ['policy=until&date=2020-01-31', 'The date 2020-01-31 has passed.'], ['policy=until&date=soon', 'Use allowed, warn, off'],
    ['policy=until', 'Use allowed, warn, off'], ['policy=perhaps', 'Use allowed, warn, off']
  ]) t.match((await root.open(`/apps/old/implicit?${search}`)).body, sentence)
  const refused = await root.send('/apps/old/implicit', { policy: 'until 2020-01-31' }, from)
  t.equal(refused.statusCode, 400)
  t.match(refused.body, 'has passed')
  t.equal((await root.open('/apps/nothing/implicit')).statusCode, 404)
})

t.test('the steps of an app are ticked off by what was seen', async t => {
  const { root, row, stores } = await setUp(t, 100)
  const ticks = async () => ticksOf((await root.open('/apps/old/implicit')).body)
  t.same(await ticks(), ['To do', 'To do', 'Done', 'To do'])
  await stores.clients.change('old', { grantTypes: ['authorization_code'] })
  t.same(await ticks(), ['Done', 'To do', 'Done', 'To do'])
  await stores.audit.add([row(2, 'ann', { event: 'token', outcome: 'authorization_code' })])
  t.same(await ticks(), ['Done', 'Done', 'Done', 'To do'])
  const at = new Date()
  await stores.implicitUses.add([{ clientId: 'old', week: isoWeek(at), uses: 1, firstAt: at, lastAt: at }])
  t.same(await ticks(), ['Done', 'Done', 'To do', 'To do'])
  await root.send('/apps/old/implicit', { policy: 'off' }, '/apps/old/implicit')
  t.same(await ticks(), ['Done', 'Done', 'To do', 'Done'])
})

t.test('the chart has a bar for each of twelve weeks, and a table with the numbers', async t => {
  const { root, stores } = await setUp(t)
  await stores.clients.put(client({ id: 'app', name: 'Only code', implicit: 'off', grantTypes: ['authorization_code'] }))
  t.notMatch((await root.open('/implicit')).body, 'Only code')
  t.match((await root.open('/apps/app/implicit')).body, /Stop using the implicit grant for 90 days<span class="note">\s*Never used\./)
  for (const path of ['/implicit', '/apps/old/implicit']) {
    const { body } = await root.open(path)
    t.match(body, 'role="img" aria-label="Tokens by week,')
    t.equal([...body.matchAll(/<rect /g)].length, 12, path)
    t.equal([...body.matchAll(/<tr><td><bdi>\d{4}-W\d\d<\/bdi><\/td>/g)].length, 12)
    t.match(body, /-W\d\d<\/bdi><\/td><td>5<\/td><\/tr><tr><td><bdi>[^<]+<\/bdi><\/td><td>7</)
    t.match(body, 'Old &lt;app&gt;')
  }
})
