import t from 'tap'
import { DAY_MS } from '../../../src/lifetimes.js'
import { isoWeek } from '../../../src/stores/operation/implicit-use-counter.js'
import { Browser, client, query } from '../../support/helper.js'
import { buildConsole } from '../../support/admin/console.js'

t.test('the first page has four figures with their trend', async t => {
  const { add, as, stores, app } = await buildConsole(t)
  await add('root', 'auditor')
  const [now, root] = [new Date(), as('root')]
  const use = { clientId: 'app', uses: 7, firstAt: now, lastAt: now }
  await stores.implicitUses.add([{ ...use, week: isoWeek(now) }, { ...use, week: isoWeek(new Date(now.getTime() - 7 * DAY_MS)) }])
  await root.open('')
  await app.auditTrail.flush()
  const { body } = await root.open('')
  const figures = [...body.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd><dd class="note">(.*?)<\/dd>/g)].map(([, ...texts]) => texts.join(' | '))
  t.same(figures, [
    'Sign-ins in 24 hours | 1 | up from 0 the day before',
    'Failed sign-ins in 24 hours | 0 | 0 the day before',
    'People | 2 | 2 added in 7 days, 0 in the 7 days before',
    'Apps that used the implicit grant this week | 1 | 1 last week'
  ])
})

t.test('the first page names who is locked out, self-registered apps and apps that fail logout tokens, with links', async t => {
  const { add, as, stores, app } = await buildConsole(t)
  const [bob] = [await add('bob'), await add('root', 'auditor')]
  const root = as('root')
  t.match((await root.open('')).body, 'Nothing right now')
  for (let attempt = 0; attempt < 6; attempt++) await new Browser(app).allow(query(), { username: 'bob', password: 'wrong' })
  await stores.clients.put(client({ id: 'shop', backchannelLogoutUri: 'https://127.0.0.1:9/', registeredBy: 'open' }))
  await stores.clientSessions.beginOnDevice('device', bob, { clientId: 'shop', epoch: 0, endsAt: new Date(Date.now() + DAY_MS) })
  await stores.users.endAccess(bob)
  await stores.clientSessions.markEnded()
  for (let sent = 0; sent < 2; sent++) {
    for (const session of await stores.clientSessions.claim([])) await stores.clientSessions.retry(session, new Date(0))
  }
  await app.auditTrail.flush()
  const { body } = await root.open('')
  t.match(body, `bob is locked out after failed sign-ins. <a href="/admin/people/${bob}">Show</a>`)
  t.match(body, '1 self-registered app not approved. <a href="/admin/apps?by=itself">Show</a>')
  t.match(body, 'shop does not accept logout tokens.')
  t.match(body, '<a href="/admin/apps/shop">Show</a>')
})
