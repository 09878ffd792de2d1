import t from 'tap'
import { build } from '../helper.js'

t.test('what programs poll is logged at debug while it succeeds', async t => {
  const { app, logs } = await build(t, { ISSUER: 'https://id.example/a' })
  const levelOf = async (path: string) => {
    logs.length = 0
    await app.inject(path)
    return logs.map(line => JSON.parse(line)).find(({ msg }) => msg === 'request').level
  }
  const polled = [
    '/health/live', '/health/ready', '/a/revocations', '/a/.well-known/jwks.json', '/.well-known/oauth-authorization-server/a',
    '/a/.well-known/openid-configuration'
  ]
  for (const path of polled) t.equal(await levelOf(path), 20, path)
  t.equal(await levelOf('/a/openapi.json'), 30)
  t.equal(await levelOf('/a/revocations?after=x'), 30, 'a failure is visible')
  t.intercept(app, 'draining', { value: true })
  t.equal(await levelOf('/health/ready'), 30)
})
