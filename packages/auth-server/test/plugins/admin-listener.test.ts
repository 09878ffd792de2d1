import { freePort } from '@frontdesk/test-kit/free-port'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { addUser } from '../support/admin/admin.js'
import { Browser, build, formTokenOf } from '../support/helper.js'

t.test('with ADMIN_PORT, the API is on that port only, and nothing else is', async t => {
  const port = await freePort()
  const env = { ADMIN: 'true', ADMIN_PORT: `${port}`, ADMIN_URL: 'https://admin.example', ISSUER: 'https://id.example/auth' }
  const { app } = await build(t, env)
  const open = await app.listen({ host: '127.0.0.1', port: 0 })
  const own = `http://127.0.0.1:${port}`
  const statusOf = async (url: string) => (await fetch(url)).status
  t.equal(await statusOf(`${own}/admin/api/users`), 401)
  for (const path of ['/admin/api/users', '/%61dmin/api/users', '/auth/admin/api/users']) t.equal(await statusOf(open + path), 404, path)
  for (const path of ['/auth/authorize', '/auth/.well-known/jwks.json', '/ready', '/nothing']) t.equal(await statusOf(own + path), 404, path)
  for (const path of ['/admin/api/nothing', '/%61dmin/api/nothing', '/admin', '/admin/', '/admin/people']) t.equal(await statusOf(open + path), 404, path)
  for (const [method, path] of [['OPTIONS', '/admin/api/users'], ['PUT', '/%61dmin/api/users'], ['PUT', '/admin/people'], ['POST', '/admin/']] as const) {
    const { status, headers } = await fetch(open + path, { method })
    t.strictSame([status, headers.get('allow'), headers.get('www-authenticate')], [404, null, null], `${method} ${path}`)
    t.equal((await fetch(`${own}/auth/token`, { method })).status, 404)
  }
  t.equal(await statusOf(`${own}/auth/assets/style.css`), 200)
  t.equal((await fetch(`${own}/auth/language`, { method: 'POST', redirect: 'manual' })).status, 303, 'the console has the switch, too')
  t.equal(await statusOf(`${open}/auth/assets/style.css`), 200)
  t.equal(await statusOf(`${open}/auth/.well-known/jwks.json`), 200)
  await app.drain()
  await t.rejects(fetch(`${own}/admin/api/users`), 'it drains with the other')
})

for (const [adminUrl, hasOtherCookies] of [['https://admin.example', true], ['https://id.example:8443', false]] as const) {
  t.test(`with ADMIN_URL=${adminUrl}, the console signs in at the issuer, comes back, and signs out`, async t => {
    const port = await freePort()
    const env = { ADMIN: 'true', ADMIN_PORT: `${port}`, ADMIN_URL: adminUrl, ISSUER: 'https://id.example/auth' }
    const built = await build(t, env)
    await addUser(built, 'root', ['administrator'])
    await built.app.listen({ host: '127.0.0.1', port: 0 })
    const cookies = new Map<string, string>()
    const get = async (path: string, form?: Record<string, string>) => {
      const headers = { cookie: [...cookies].map(pair => pair.join('=')).join('; ') }
      const body = form && { method: 'POST', body: new URLSearchParams(form) }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual', ...body })
      for (const cookie of response.headers.getSetCookie()) cookies.set(...cookie.split(';')[0]!.split('=') as [string, string])
      return response
    }
    const begun = new URL((await get('/admin')).headers.get('location')!)
    t.equal(begun.origin + begun.pathname, 'https://id.example/auth/authorize')
    const browser = new Browser(built.app)
    const consent = `/auth/consent${begun.search}`
    const allowed = { transaction: formTokenOf(await browser.get(consent)), decision: 'allow', username: 'root', password: 'correct horse' }
    const back = new URL(String((await browser.post(consent, allowed)).headers.location))
    t.equal(back.origin + back.pathname, `${adminUrl}/admin/callback`)
    t.equal((await get(back.pathname + back.search)).headers.get('location'), '/admin')
    const page = await get('/admin')
    t.equal(page.status, 200)
    t.match(page.headers.get('content-security-policy'), "form-action 'self' https://id.example;", 'forms can lead to another sign-in')
    const transaction = formTokenOf({ body: await page.text() })
    const left = await (await get('/admin/sign-out', { transaction })).text()
    t.match(left, 'signed out')
    t.equal(left.includes('https://id.example/auth/sign-out'), hasOtherCookies, 'ports share cookies')
  })
}

t.test('a port that is taken stops the start with a sentence', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  // as: it listens on a port.
  const { port } = taken.address() as AddressInfo
  const { app } = await build(t, { ADMIN: 'true', ADMIN_PORT: `${port}`, ADMIN_URL: 'https://admin.example' })
  await t.rejects(async () => { await app.ready() }, { message: new RegExp(`ADMIN_PORT ${port} is taken`) })
})

t.test('what does not fit together stops the start with a sentence', async t => {
  const refusal = (env: Record<string, string>) => {
    try {
      loadConfig({ ISSUER: 'https://id.example', ADMIN: 'true', ...env })
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  t.equal(refusal({}), '')
  t.match(refusal({ ADMIN_PORT: '4000' }), 'ADMIN_PORT and ADMIN_URL belong together')
  t.match(refusal({ ADMIN_URL: 'https://admin.example' }), 'ADMIN_PORT and ADMIN_URL belong together')
  t.match(refusal({ ADMIN_PORT: '3000', ADMIN_URL: 'https://admin.example' }), 'ADMIN_PORT must be another port than PORT')
  t.match(refusal({ ADMIN_PORT: '4000', ADMIN_URL: 'https://admin.example/' }), 'ADMIN_URL must be')
  t.match(refusal({ DEFAULT_AUDIENCE: 'https://id.example/admin/api' }), 'DEFAULT_AUDIENCE must not be the administration API.')
  t.match(refusal({ ADMIN_PORT: '4000', ADMIN_URL: 'https://admin.example', ISSUER: 'https://id.example/admin/id' }), 'path of ISSUER')
  t.match(refusal({ ADMIN: 'yes' }), 'ADMIN must be true or false')
  const { adminAudience, adminListener } = loadConfig({ ISSUER: 'https://id.example', ADMIN: 'true', ADMIN_PORT: '4000', ADMIN_URL: 'https://admin.example' })
  t.equal(adminAudience, 'https://admin.example/admin/api')
  t.same(adminListener, { host: '127.0.0.1', port: 4000 })
})
