import t from 'tap'
import { Browser, client, query } from '../../support/helper.js'
import { buildAdmin } from '../../support/admin/admin.js'

export const onBothDatabases = true

const PASSWORD = 'correct horse'

t.test('support sees where a user is signed in, and signs them out on one device', async t => {
  const { app, add, as, stores } = await buildAdmin(t)
  const sam = await add('sam', 'support')
  const id = await add('Zoë')
  const support = await as('sam')
  const [lost, own] = [new Browser(app), new Browser(app)]
  for (const browser of [lost, own]) await browser.allow(query(), { username: 'Zoë', password: PASSWORD })

  const { items, more } = (await support('GET', `/users/${id}/sessions`)).json()
  t.equal(items.length, 2)
  t.equal(more, false)
  t.same(Object.keys(items[0]), ['id', 'authTime', 'lastSeen', 'userAgent'])
  t.notMatch(JSON.stringify(items), new RegExp([...lost.cookies.values()].join('|')))

  t.equal((await support('DELETE', `/users/${id}/sessions/${items[0].id}`)).statusCode, 204)
  t.equal((await support('DELETE', `/users/${id}/sessions/${items[0].id}`)).statusCode, 404, 'it has ended')
  t.same((await support('GET', `/users/${id}/sessions`)).json().items.map((it: { id: string }) => it.id), [items[1].id])
  const [row, ...others] = await stores.audit.list({ event: 'user end-session' }, 10)
  t.match(row, { userId: id, details: { by: sam } })
  t.type(row?.requestId, 'string')
  t.same(others, [], 'what was refused is not recorded')
})

t.test('support revokes the access of one app, and that of others stays', async t => {
  const { app, add, as, stores } = await buildAdmin(t)
  const sam = await add('sam', 'support')
  const id = await add('Zoë')
  const support = await as('sam')
  await stores.clients.put(client({ id: 'other' }))
  const browser = new Browser(app)
  await browser.allow(query(), { username: 'Zoë', password: PASSWORD })
  await browser.allow(query({ client_id: 'other' }), {})

  const apps = async () => (await support('GET', `/users/${id}/apps`)).json().items.map((it: { client: { id: string } }) => it.client.id)
  t.same((await apps()).sort(), ['app', 'other'])
  t.equal((await support('DELETE', `/users/${id}/apps/app`)).statusCode, 204)
  t.same(await apps(), ['other'])
  t.match(await stores.audit.list({ event: 'user revoke' }, 10), [{ userId: id, clientId: 'app', details: { by: sam } }])
  t.equal((await support('DELETE', `/users/${id}/apps/nothing`)).statusCode, 404)
  t.equal((await support('DELETE', `/users/${id}/apps/frontdesk-console`)).statusCode, 404, 'the console is no app')
})

t.test('support acts on no one with a built-in role; unknown ids are the same 404', async t => {
  const { add, as, stores } = await buildAdmin(t)
  await add('sam', 'support')
  const root = await add('root', 'administrator')
  const ann = await add('Zoë')
  const support = await as('sam')
  for (const [path, statusCode] of [
    [`/users/${root}/sessions/x`, 403],
    [`/users/${root}/apps/app`, 403],
    [`/users/${ann}/sessions/x`, 404],
    ['/users/nothing/sessions/x', 404],
    ['/users/nothing/apps/app', 404]
  ] as const) t.equal((await support('DELETE', path)).statusCode, statusCode, path)
  for (const path of ['/users/nothing/sessions', '/users/nothing/apps']) t.equal((await support('GET', path)).statusCode, 404, path)
  t.same((await stores.audit.list({}, 50)).filter(({ event }) => event.startsWith('user ')), [])
})

t.test('ids that are not valid texts are the same 404, and a session of another user is none', async t => {
  const { app, add, as, stores } = await buildAdmin(t)
  await add('root', 'administrator')
  const [zoe, kim] = [await add('Zoë'), await add('kim')]
  const root = await as('root')
  await new Browser(app).allow(query(), { username: 'Zoë', password: PASSWORD })
  const [session] = (await root('GET', `/users/${zoe}/sessions`)).json().items
  t.equal((await root('DELETE', `/users/${kim}/sessions/${session.id}`)).statusCode, 404)
  t.equal((await root('GET', `/users/${zoe}/sessions`)).json().items.length, 1)
  const longest = 'x'.repeat(2_000)
  for (const id of ['%00', '%F0%9F%98%80', "'%20OR%20''='", '..%2f..', longest, '__proto__']) {
    for (const path of [`/users/${id}/sessions`, `/users/${id}/apps`, `/users/${id}/failed-sign-ins`, `/users/${id}/data`]) {
      const answer = await root('GET', path)
      t.match({ statusCode: answer.statusCode, title: answer.json().title }, { statusCode: 404, title: 'There is no such resource.' }, `${path}: ${answer.body}`)
    }
    t.equal((await root('DELETE', `/users/${zoe}/sessions/${id}`)).statusCode, 404)
    t.equal((await root('DELETE', `/users/${zoe}/apps/${id}`)).statusCode, 404)
  }
  const ends = await Promise.all(Array.from({ length: 20 }, async () => (await root('DELETE', `/users/${zoe}/sessions/${session.id}`)).statusCode))
  t.same(ends.sort(), [204, ...Array(19).fill(404)], 'of 20 at once, one ends it')
  t.equal((await stores.audit.list({ event: 'user end-session' }, 50)).length, 1)
})
