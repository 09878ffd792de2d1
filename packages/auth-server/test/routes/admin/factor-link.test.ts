import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { buildAdmin } from '../../support/admin/admin.js'
import { openAdmin } from '../../support/admin/clients.js'
import { buildConsole } from '../../support/admin/console.js'
import { asClient } from '../../support/admin/robot.js'
import { addAuthenticator } from '../../support/factors.js'
import { Browser } from '../../support/helper.js'

export const onBothDatabases = true

const pathOf = (id: string) => `/users/${id}/factor-link`

t.test('an administrator makes a link, which is shown once; the audit trail names the maker and the link', async t => {
  const { app, add, as, stores, logs } = await buildAdmin(t)
  const [rootId, id] = [await add('root', 'administrator'), await add('bob')]
  const root = await as('root')
  const made = await root('POST', pathOf(id))
  t.match(made, { statusCode: 200, headers: { 'cache-control': 'no-store' } })
  const { link, linkEndsAt } = made.json<{ link: string, linkEndsAt: string }>()
  t.match(link, /^https:\/\/id\.example\/set-up-factor\?link=[\w.-]+$/)
  t.ok(Math.abs(Date.parse(linkEndsAt) - Date.now() - 86_400_000) < 60_000)
  const { pathname, search } = new URL(link)
  t.match((await new Browser(app).get(pathname + search)).body, '<strong>bob</strong>')
  t.match(await stores.audit.list({ event: 'user factor-link' }, 5), [{ userId: id, details: { by: rootId, link: /^[\w-]{43}$/ } }])
  t.notOk(logs.join('').includes(search))
})

t.test('there is no link for a user with a factor, without a password, who is disabled or unknown, and none for oneself', async t => {
  const { add, as, stores } = await buildAdmin(t)
  const [rootId, bob, cas, dan] = [await add('root', 'administrator'), await add('bob'), await add('cas'), 'dan']
  await stores.users.add({ id: dan, username: 'dan', passwordHash: 'x', demo: false, isInvited: true })
  await addAuthenticator(stores, loadConfig({}), (await stores.users.find({ id: bob }))!)
  await stores.users.setDisabled({ id: cas }, new Date())
  const root = await as('root')
  const rows: Array<[id: string, status: number, detail: RegExp]> = [
    [bob, 409, /"bob" already has a second factor\. If it is lost, remove it first\./],
    [cas, 409, /"cas" is disabled\./],
    [dan, 409, /"dan" has not set a password yet\./],
    ['none', 404, /No user has the id "none"\./],
    [rootId, 403, /You can't create a set-up link for yourself\./]
  ]
  for (const [id, status, detail] of rows) t.match((await root('POST', pathOf(id))).json(), { status, detail }, id)
  t.same(await stores.audit.list({ event: 'user factor-link' }, 5), [])
})

t.test('support and auditors cannot make a link, nor a client for a user with a built-in role', async t => {
  const built = await openAdmin(t)
  const [id, chief] = [await built.add('bob'), await built.add('chief', 'administrator')]
  for (const role of ['support', 'auditor']) {
    await built.add(role, role)
    t.equal((await (await built.as(role))('POST', pathOf(id))).statusCode, 403, role)
  }
  const robot = await asClient(built, 'robot', 'admin:read admin:write')
  t.equal((await robot('POST', pathOf(id))).statusCode, 200)
  t.equal((await robot('POST', pathOf(chief))).statusCode, 403)
})

t.test('a link needs a recent sign-in of the level in ADMIN_ACR, which an administrator without a factor does not reach', async t => {
  const { add, as } = await buildAdmin(t, { ADMIN_ACR: 'urn:frontdesk:acr:mfa' })
  const id = await add('bob')
  await add('root', 'administrator')
  t.match((await (await as('root'))('POST', pathOf(id))).headers['www-authenticate'], /insufficient_user_authentication.*max_age="600"/)
})

t.test('the console shows a link once, on the page of a user without a factor', async t => {
  const { app, add, as, stores, logs } = await buildConsole(t)
  const [rootId, id] = [await add('root', 'administrator'), await add('bob')]
  await add('helper', 'support')
  const [root, path] = [as('root'), `/people/${id}`]
  t.match((await root.open(path)).body, 'Set-up link')
  t.notMatch((await as('helper').open(path)).body, 'Set-up link')
  t.notMatch((await root.open(`/people/${rootId}`)).body, 'Set-up link', 'not for oneself')
  const { statusCode, body } = await root.send(`${path}/factor-link`, {}, path)
  t.equal(statusCode, 200)
  t.match(body, /Set-up link for bob.*It is not shown again.*The link works once, until/s)
  const search = /\/set-up-factor(\?link=[\w.-]+)/.exec(body)?.[1] ?? ''
  t.equal((await new Browser(app).get(`/set-up-factor${search}`)).statusCode, 200)
  t.notOk(logs.join('').includes(search))
  t.match((await root.open(path)).body, 'user factor-link')

  await addAuthenticator(stores, loadConfig({}), (await stores.users.find({ id }))!)
  t.notMatch((await root.open(path)).body, 'Set-up link')
  const refused = await root.send(`${path}/factor-link`, {}, path)
  t.match(refused, { statusCode: 409, body: /already has a second factor/ })
})
