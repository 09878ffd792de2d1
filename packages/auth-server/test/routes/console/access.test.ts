import t from 'tap'
import { Browser, build, formTokenOf, query } from '../../support/helper.js'
import { buildConsole, type ConsoleBrowser } from '../../support/admin/console.js'
import { CONSOLE_ID } from '../../../src/oauth/console-client.js'
import { actions, downloads, pages } from '../../../src/routes/console/routes.js'

t.test('without ADMIN, there is no console', async t => {
  const { app } = await build(t)
  for (const path of ['/admin', '/admin/people', '/admin/callback']) t.equal((await app.inject(path)).statusCode, 404, path)
})

t.test('the console signs in with a code and PKCE, asks for no consent, and has a cookie of its own', async t => {
  const { add, as } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const begun = await root.get('/admin/people?search=a')
  t.equal(begun.statusCode, 303)
  const { searchParams, pathname } = new URL(String(begun.headers.location))
  t.equal(pathname, '/authorize')
  t.match(Object.fromEntries(searchParams), {
    client_id: CONSOLE_ID,
    response_type: 'code',
    code_challenge_method: 'S256',
    max_age: '1800',
    redirect_uri: 'https://id.example/admin/callback'
  })
  t.match(begun.cookies, [{ name: '__Host-console-sign-in', httpOnly: true, secure: true, sameSite: 'Lax', path: '/', maxAge: 600 }])
  const page = await root.follow(begun)
  t.equal(page.statusCode, 200)
  t.match(page.body, /<input id="search"[^>]* value="a"/, 'the page that was asked for')
  const cookie = root.cookies.get('__Host-console')
  t.match(cookie, /^[\w-]{43}$/)
  t.equal(root.cookies.has('__Host-console-sign-in'), false)

  const again = await root.open('')
  t.equal(again.statusCode, 200)
  t.equal(root.cookies.get('__Host-console'), cookie)
  t.match(again.headers, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'content-security-policy': /default-src 'none'.*form-action 'self'; base-uri 'none'; frame-ancestors 'none'/
  })
  // Signed in to the server, the browser needs no password for the console.
  root.cookies.delete('__Host-console')
  const asked = new URL(String((await root.get('/admin')).headers.location))
  t.match((await root.get(`/consent${asked.search}`)).headers.location, /^https:\/\/id.example\/admin\/callback\?code=/)
})

t.test('a callback counts only in the browser that began, once, with its state and the issuer', async t => {
  const { add, as, app } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const callbackOf = async () => {
    const begun = new URL(String((await root.get('/admin')).headers.location))
    const consent = `/consent${begun.search}`
    const shown = await root.get(consent)
    const answer = shown.statusCode === 303
      ? shown
      : await root.post(consent, { transaction: formTokenOf(shown), decision: 'allow', username: 'root', password: 'correct horse' })
    return new URL(String(answer.headers.location))
  }
  const refused = async (change: (url: URL) => void, browser: Browser = root) => {
    const url = await callbackOf()
    change(url)
    const { statusCode, body } = await browser.get(url.pathname + url.search)
    t.equal(statusCode, 403)
    t.match(body, 'The sign-in was not completed')
    t.equal(browser.cookies.has('__Host-console'), false)
  }
  await refused(url => url.searchParams.set('state', 'x'))
  await refused(url => url.searchParams.set('iss', 'https://other.example'))
  await refused(url => url.searchParams.set('code', 'x'))
  await refused(url => url.searchParams.delete('code'))
  await refused(() => {}, new Browser(app))
  const { pathname, search } = await callbackOf()
  t.equal((await root.get(pathname + search)).headers.location, '/admin')
  t.equal((await root.get(pathname + search)).statusCode, 403)
  t.equal((await root.get('/admin')).statusCode, 200, 'the session stays')
})

t.test('a user without a built-in role is told so, and roles count from the next request on', async t => {
  const { add, as, stores } = await buildConsole(t)
  const id = await add('bob')
  const bob = as('bob')
  const refused = await bob.open('/people')
  t.equal(refused.statusCode, 403)
  t.match(refused.body, 'This needs one of these roles: administrator, auditor, support.')
  await stores.roles.assign(id, ['auditor'])
  t.equal((await bob.get('/admin/people')).statusCode, 303, 'what began before ends')
  t.equal((await bob.open('/people')).statusCode, 200)
  await stores.roles.assign(id, [])
  t.equal((await bob.get('/admin/people')).statusCode, 403)
})

t.test('signing out ends the session of the console and of the browser', async t => {
  const { add, as } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const transaction = formTokenOf(await root.open(''))
  const cookie = root.cookies.get('__Host-console')!
  t.equal((await root.post('/admin/sign-out', { transaction: 'x' })).statusCode, 403)
  t.match((await root.post('/admin/sign-out', { transaction })).body, 'signed out')
  t.equal(root.cookies.has('__Host-session'), false)
  root.cookies.set('__Host-console', cookie)
  t.equal((await root.get('/admin')).statusCode, 303)
})

t.test('each role may do what it is for: every page and form × role', async t => {
  const { add, as } = await buildConsole(t)
  const may = { read: ['administrator', 'auditor', 'support'], support: ['administrator', 'support'], manage: ['administrator'] }
  const browsers: Array<[string, ConsoleBrowser, string]> = []
  for (const role of ['administrator', 'auditor', 'support']) {
    await add(role, role)
    const browser = as(role)
    browsers.push([role, browser, formTokenOf(await browser.open(''))])
  }
  t.ok(actions.length > 8 && pages.length > 3)
  for (const [role, browser, transaction] of browsers) {
    for (const { path, right } of [...pages, ...downloads]) {
      const { statusCode } = await browser.get(`/admin${path.replace(/:\w+/g, 'nothing')}`.replace(/\/$/, ''))
      t.equal(statusCode === 403, !may[right].includes(role), `${role}: GET ${path}: ${statusCode}`)
      t.ok(statusCode < 500, path)
    }
    for (const { path, right } of actions) {
      const { statusCode } = await browser.post(`/admin${path.replace(/:\w+/g, 'nothing')}`, { transaction })
      t.not(right, 'read', path)
      t.equal(statusCode === 403, !may[right].includes(role), `${role}: POST ${path}: ${statusCode}`)
      t.ok(statusCode < 500, path)
    }
  }
})

t.test('a form counts only in the browser and for the user that it was made for', async t => {
  const { add, as, stores, app } = await buildConsole(t)
  const [id] = [await add('bob'), await add('root', 'administrator'), await add('other', 'administrator')]
  const [root, other] = [as('root'), as('other')]
  const path = `/admin/people/${id}/disable`
  await root.open('')
  const foreign = formTokenOf(await other.open(''))
  for (const transaction of ['', 'x', foreign]) t.equal((await root.post(path, { transaction })).statusCode, 403, transaction)
  other.cookies.set('__Host-console', root.cookies.get('__Host-console')!)
  t.equal((await other.post(path, { transaction: foreign })).statusCode, 403, 'another user has signed in')
  t.equal((await new Browser(app).post(path, { transaction: foreign })).statusCode, 403, 'without cookies')
  t.equal((await stores.users.find('bob'))?.disabledAt, null)
})

t.test('the console is no client that anyone could add, change or list', async t => {
  const { stores, app } = await buildConsole(t)
  const { addClient, removeClient, setClientDisabled, updateClient } = await import('../../../src/admin/clients.js')
  const { readRegistered } = await import('../../../src/admin/apply.js')
  const by = { kind: 'shell', name: 'test' } as const
  t.notOk((await stores.clients.list()).some(({ id }) => id === CONSOLE_ID))
  t.notOk((await readRegistered(stores)).clients.some(({ clientId }) => clientId === CONSOLE_ID))
  await t.rejects(addClient(stores, { clientId: CONSOLE_ID, name: 'x' }, [], by), { message: /reserved/ })
  await t.rejects(setClientDisabled(stores, CONSOLE_ID, true, by), { code: 'unknown' })
  await t.rejects(removeClient(stores, CONSOLE_ID, by), { code: 'unknown' })
  await t.rejects(updateClient(stores, CONSOLE_ID, { change: () => ({ name: 'x' }), schemes: [] }, by), { code: 'unknown' })
  t.match(await stores.clients.find(CONSOLE_ID), { name: 'Administration console', disabledAt: null })
  const browser = new Browser(app)
  const foreign = query({ client_id: CONSOLE_ID, response_type: 'code', redirect_uri: 'https://evil.example/' })
  const other = await browser.get(`/authorize?${foreign}`)
  t.equal(other.statusCode, 400)
  t.equal(other.headers.location, undefined)
})
