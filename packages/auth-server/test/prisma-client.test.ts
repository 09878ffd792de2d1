import { loadedScripts } from '@frontdesk/test-kit/loaded-scripts'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { cleanUp } from '../src/plugins/clean-up.js'
import { Browser, build, CALLBACK, query } from './support/helper.js'
import { auditLimits } from './support/stores/audit-limits.js'

export const onBothDatabases = true

/** Others load the client. */
export const needsOwnProcess = true

/** What a first query of Prisma's client loads: its WebAssembly stops the event loop for longer than hundreds of requests. */
const CLIENT = /\/generated\/\w+\/client\.|@prisma\/client/

const FORMS: Array<Record<string, string>> = [
  {},
  { client_id: 'app', redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' },
  ...['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'].map(grant => ({
    grant_type: grant, client_id: 'app', code: 'x', refresh_token: 'x', device_code: 'x', redirect_uri: CALLBACK, code_verifier: 'x'.repeat(43)
  })),
  { token: 'x', client_id: 'app' },
  { username: 'ann', password: 'wrong', token: randomUUID(), user_code: 'BCDF-GHJK' }
]

t.test('no request loads Prisma\'s client, whatever it is answered with, nor does any work behind the answers', async t => {
  const { app, routes, stores } = await build(t, { REGISTRATION: 'open', CLIENT_METADATA_DOCUMENTS: 'on' })
  const browser = new Browser(app)
  t.equal((await browser.allow()).statusCode, 303)
  t.equal((await browser.get('/account')).statusCode, 200)
  const statuses = new Set<number>()
  for (const { method, url } of routes) {
    const path = url.replace(/:\w+/g, 'app').replace('*', 'x')
    for (const form of FORMS) {
      const search = new URLSearchParams(form).toString()
      const { statusCode } = await app.inject({
        // as: of a route.
        method: method as 'GET',
        url: ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method) ? `${path}?${search}` : path,
        headers: {
          cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'content-type': 'application/x-www-form-urlencoded'
        },
        ...['POST', 'PUT'].includes(method) ? { payload: search } : {}
      })
      statuses.add(statusCode)
    }
  }
  t.ok(routes.length > 30, `${routes.length} routes`)
  t.notOk(statuses.has(500))
  t.match((await new Browser(app).allow(query(), { username: 'ann', password: 'wrong' })).body, /password/)
  t.equal((await new Browser(app).get(`/authorize?${query({ prompt: 'none' })}`)).statusCode, 302)

  await cleanUp(stores, new Date(), auditLimits(0))
  await stores.signingKeys.list()
  const scripts = loadedScripts()
  t.ok(scripts.some(url => url.endsWith('/stores/users/users.js')))
  t.same(scripts.filter(url => CLIENT.test(url)), [])
})
