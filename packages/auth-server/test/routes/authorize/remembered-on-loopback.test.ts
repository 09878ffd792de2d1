import t from 'tap'
import { codeClient, codeQuery } from '../../support/code-flow.js'
import { Browser, build, query } from '../../support/helper.js'

t.test('in development, where the issuer is loopback, loopback callbacks of registered apps are known; nowhere else', async t => {
  const LOOPBACKS = ['http://127.0.0.1:5173/cb', 'http://localhost/cb', 'http://[::1]/cb', 'https://localhost/cb']
  for (const [env, registeredBy, status] of [
    [{ ISSUER: 'http://localhost:3000' }, 'operator', 303],
    [{ ISSUER: 'http://localhost:3000' }, 'open', 200],
    [{ ISSUER: 'https://id.example' }, 'operator', 200],
    [{ ISSUER: 'http://localhost:3000', ENVIRONMENT: 'production', SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789', DEFAULT_AUDIENCE: 'https://api.example' }, 'operator', 200]
  ] as const) {
    const { app, stores } = await build(t, { ...env })
    await stores.clients.put(codeClient({ callbacks: [...LOOPBACKS, 'com.example.app:/cb'], implicit: 'allowed', registeredBy }))
    const browser = new Browser(app)
    await browser.allow(codeQuery({ redirect_uri: LOOPBACKS[0]! }))
    for (const callback of LOOPBACKS) t.equal((await browser.get(`/consent?${codeQuery({ redirect_uri: callback })}`)).statusCode, status, `${JSON.stringify(env)} ${registeredBy} ${callback}`)
    t.equal((await browser.get(`/consent?${codeQuery({ redirect_uri: 'com.example.app:/cb' })}`)).statusCode, 200, 'never a scheme')
    t.equal((await browser.get(`/consent?${query({ redirect_uri: LOOPBACKS[0]!, scope: 'customer:read' })}`)).statusCode, 200, 'never a token')
  }
})
