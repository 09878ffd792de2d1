import t from 'tap'
import { Browser, formTokenOf, query } from '../../support/helper.js'
import { buildConsole } from '../../support/admin/console.js'

t.test('people are listed in pages, found by a part of a name, and an empty result says so', async t => {
  const { add, as } = await buildConsole(t)
  await add('root', 'administrator')
  for (let i = 0; i < 55; i++) await add(`user-${String(i).padStart(2, '0')}`)
  const root = as('root')
  const first = await root.open('/people')
  t.match(first.body, 'First 50 of 57')
  const next = /href="(\?after=[^"]+)">Next page/.exec(first.body)?.[1] ?? ''
  const second = await root.open(`/people${next}`)
  t.match(second.body, 'user-54')
  t.notMatch(second.body, 'user-01')
  t.match(second.body, 'First page')
  const found = await root.open('/people?search=USER-3')
  t.match(found.body, 'user-39')
  t.notMatch(found.body, 'user-40')
  const none = await root.open('/people?search=%3Cscript%3E')
  t.match(none.body, 'No one matches “&lt;script&gt;”.')
})

t.test('a person is invited, changed, disabled, enabled and removed, and audit rows name who did it', async t => {
  const { add, as, stores, logs } = await buildConsole(t)
  const rootId = await add('root', 'administrator')
  const root = as('root')
  const invited = await root.send('/people/invite', { username: 'zoe', email: 'zoe@example.com', roles: 'auditor' }, '/people/invite')
  t.equal(invited.statusCode, 200, invited.body)
  const link = /https:\/\/id\.example\/set-password\?link=([\w.-]+)/.exec(invited.body)?.[1] ?? ''
  t.ok(link.length > 20)
  t.notMatch(logs.join(''), link)
  const { id } = (await stores.users.find('zoe'))!
  const path = `/people/${id}`
  t.match((await root.open(path)).body, 'Invited')

  const send = async (action: string, fields: Record<string, string> | string = {}) => {
    const { statusCode, headers, body } = await root.send(`${path}/${action}`, fields, path)
    return statusCode === 303 ? headers.location : `${statusCode} ${/<p><strong>.*<\/p>/.exec(body)?.[0]}`
  }
  t.equal(await send('details', { name: 'Zoë', shown_name: '', email: '', shown_email: 'zoe@example.com' }), `/admin${path}`)
  t.match(await stores.profiles.find(id), { name: 'Zoë', email: null })
  t.match(await send('details', { email: 'no address', shown_email: '' }), /^400 .*Nothing was changed/)
  const address = { email: 'z@example.com', shown_email: 'z@example.com' }
  t.equal(await send('details', { ...address, emailVerified: 'yes' }), `/admin${path}`)
  t.match(await stores.profiles.find(id), { email: 'z@example.com', emailVerified: true })
  t.equal(await send('details', { ...address, shown_emailVerified: 'yes' }), `/admin${path}`)
  t.match(await stores.profiles.find(id), { email: 'z@example.com', emailVerified: false })
  t.equal(await send('roles', 'shown=auditor&roles=support'), `/admin${path}`)
  t.same(await stores.roles.of(id), ['support'])
  t.match(await send('roles', 'roles=none-such'), /^400 .*There is no role/)
  t.equal(await send('rename', { username: 'zoë' }), `/admin${path}`)
  t.match(await send('rename', { username: 'root' }), /^409 .*is taken/)
  t.equal(await send('disable'), `/admin${path}`)
  t.ok((await stores.users.find({ id }))?.disabledAt)
  t.match((await root.open(path)).body, 'Disabled. The user is signed out everywhere')
  t.match(await send('reset'), /^409 .*is disabled/)
  t.equal(await send('enable'), `/admin${path}`)
  t.equal(await send('sign-out'), `/admin${path}`)
  t.equal(await send('end-access', { client: 'app' }), `/admin${path}`)
  t.match(await send('remove', { confirm: 'zoe' }), /^400 .*exactly/)
  t.equal(await send('remove', { confirm: 'zoë' }), '/admin/people')
  t.equal((await root.open(path)).statusCode, 404)
  const rows = await stores.audit.list({ userId: id }, 50)
  t.same(rows.filter(({ event }) => event.startsWith('user ')).map(({ event, details }) => [event, details.by]).reverse(), [
    'user invite', 'user update', 'user update', 'user update', 'user update', 'user rename',
    'user disable', 'user enable', 'user sign-out', 'user revoke', 'user remove'
  ].map(event => [event, rootId]))
})

t.test('support helps users, but not those with a built-in role, and sees no link', async t => {
  const { add, as } = await buildConsole(t)
  await add('sam', 'support')
  const [bob, root] = [await add('bob'), await add('root', 'administrator')]
  const sam = as('sam')
  t.notMatch((await sam.open(`/people/${root}`)).body, /<button[^>]*>(Reset|Sign out everywhere|Disable)/)
  const own = await sam.open(`/people/${bob}`)
  t.match(own.body, 'Sign out everywhere')
  t.notMatch(own.body, 'Change roles')
  for (const action of ['sign-out', 'reset', 'end-access']) {
    const { statusCode, body } = await sam.send(`/people/${root}/${action}`, { client: 'app' })
    t.equal(statusCode, 403, action)
    t.match(body, 'Only an administrator can do this')
  }
  t.equal((await sam.send(`/people/${bob}/sign-out`)).statusCode, 303)
  const refused = await sam.send('/people/invite', { username: 'new', email: 'new@example.com' }, '/people/invite')
  t.equal(refused.statusCode, 409)
  t.match(refused.body, 'sends no email')
  t.match(refused.body, 'value="new@example.com"')
  t.equal((await sam.send('/people/invite', { username: 'new', roles: 'administrator' }, '/people/invite')).statusCode, 403)
})

t.test('administrators give roles and see links only after a recent sign-in; support, who do neither, need none', async t => {
  const { app, add, as, stores } = await buildConsole(t)
  await add('root', 'administrator')
  await add('sam', 'support')
  const id = await add('bob')
  const { now } = app.clock
  const late = async (username: string, path: string, from: string, fields: Record<string, string> = {}) => {
    const browser = as(username)
    const transaction = formTokenOf(await browser.open(from))
    app.clock.now = () => new Date(now().getTime() + 11 * 60_000)
    const { headers: { location = '' } } = await browser.post(`/admin${path}`, { transaction, ...fields })
    app.clock.now = now
    return location
  }
  const invitation = { username: 'new', roles: 'administrator' }
  t.match(await late('root', '/people/invite', '/people/invite', invitation), /\/authorize\?.*max_age=600/)
  t.match(await late('root', `/people/${id}/reset`, `/people/${id}`), /\/authorize\?.*max_age=600/)
  t.notMatch(await late('sam', `/people/${id}/reset`, `/people/${id}`), '/authorize')
  t.equal(await stores.users.find('new'), null)
})

t.test('the last administrator stays, and is told why', async t => {
  const { add, as, stores } = await buildConsole(t)
  const id = await add('root', 'administrator')
  const root = as('root')
  for (const [action, fields] of [['disable', ''], ['remove', 'confirm=root'], ['roles', 'shown=administrator']] as const) {
    const { statusCode, body } = await root.send(`/people/${id}/${action}`, fields, `/people/${id}`)
    t.equal(statusCode, 409, action)
    t.match(body, 'This would leave no administrator who can sign in.')
  }
  t.equal((await stores.users.find('root'))?.disabledAt, null)
})

t.test('an unknown id, an id of another kind and hostile ones are the same 404', async t => {
  const { add, as } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const transaction = formTokenOf(await root.open(''))
  const bare = (body: string) => body.replace(/Reference: <code>[^<]+|name="back" value="[^"]*"/g, '')
  const expected = bare((await root.get('/admin/people/00000000-0000-4000-8000-000000000000')).body)
  for (const id of ['app', 'root', 'frontdesk-console', '%00', "'--", '..%2Fpeople', 'x'.repeat(90)]) {
    const page = await root.get(`/admin/people/${id}`)
    t.equal(page.statusCode, 404, id)
    t.equal(bare(page.body), expected, id)
    t.equal((await root.post(`/admin/people/${id}/disable`, { transaction })).statusCode, 404, id)
  }
  for (const path of ['/people?search=%00', '/people?after=%00', '/audit?client=%00', '/apps?search=%ff', '/people?after=a&after=b']) {
    t.equal((await root.get(`/admin${path}`)).statusCode, 400, path)
  }
})

t.test('a person\'s devices and failed sign-ins are shown, and ended', async t => {
  const { add, as, stores, app } = await buildConsole(t)
  await add('sam', 'support')
  const { id } = (await stores.users.find('ann'))!
  await new Browser(app).allow()
  for (let i = 0; i < 5; i++) await new Browser(app, '192.0.2.9').allow(query(), { username: 'ann', password: 'wrong' })
  const sam = as('sam')
  const page = await sam.open(`/people/${id}`)
  t.match(page.body, 'locked out')
  t.match(page.body, '192.0.2.9')
  t.match(page.body, 'An app')
  const session = (await stores.sessions.list(id, new Date())).sessions[0]!.id
  t.equal((await sam.send(`/people/${id}/end-session`, { session: 'none' }, `/people/${id}`)).statusCode, 400)
  t.equal((await sam.send(`/people/${id}/end-session`, { session }, `/people/${id}`)).statusCode, 303)
  t.equal((await sam.send(`/people/${id}/unlock`, {}, `/people/${id}`)).statusCode, 303)
  const after = await sam.open(`/people/${id}`)
  t.notMatch(after.body, 'locked out')
  t.match(after.body, 'Not signed in anywhere.')
})
