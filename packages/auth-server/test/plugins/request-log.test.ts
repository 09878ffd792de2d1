import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { build } from '../support/helper.js'

t.test('what programs poll is logged at debug while it succeeds', async t => {
  const { app, logs } = await build(t, { ISSUER: 'https://id.example/a' })
  const levelOf = async (path: string) => {
    logs.length = 0
    const { statusCode } = await app.inject(path)
    // After the response.
    await setImmediate()
    return [statusCode < 400, logs.map(line => JSON.parse(line)).find(({ msg }) => msg === 'request')?.level]
  }
  const polled = [
    '/health/live', '/health/ready', '/a/revocations', '/a/.well-known/jwks.json', '/.well-known/oauth-authorization-server/a',
    '/a/.well-known/openid-configuration'
  ]
  for (const path of polled) t.same(await levelOf(path), [true, 20], path)
  t.same(await levelOf('/a/openapi.json'), [true, 30])
  t.same(await levelOf('/a/revocations?after=x'), [false, 30], 'a failure is visible')
  await app.drain()
  t.same(await levelOf('/health/ready'), [false, 30])
})
