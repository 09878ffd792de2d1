import { start } from '@frontdesk/auth-server/testing'
import t from 'tap'
import { PATH, buildOnce } from '../support/helper.js'

const AUDIENCE = 'http://localhost:3001'

t.test('a token of auth-server counts, and no bad variant does: 401 invalid_token (RFC 8725, RFC 9068 §4)', async t => {
  for (const SIGNING_ALG of ['ES256', 'RS256', 'Ed25519']) {
    const server = await start({ audience: AUDIENCE, settings: { SIGNING_ALG } })
    t.teardown(() => server.close())
    await server.addClient({ id: 'my-app' })
    const { issuer: ISSUER, jwksUrl: JWKS_URL, revocationsUrl: REVOCATIONS_URL } = server
    const { send } = await buildOnce(t, { ISSUER, JWKS_URL, REVOCATIONS_URL, AUDIENCE })
    const request = { client: 'my-app', sub: 'ann', scope: 'customer:read' }
    t.equal((await send('GET', `${PATH}/1`, { token: await server.tokenFor(request) })).statusCode, 404, SIGNING_ALG)
    const bad = await server.badTokens(request)
    t.ok(bad.length > 50, `${bad.length} tokens`)
    for (const { name, token } of bad) {
      const answer = await send('GET', `${PATH}/1`, { token })
      t.equal(answer.statusCode, 401, `${SIGNING_ALG}: ${name}`)
      t.match(answer.headers['www-authenticate'], 'error="invalid_token"', name)
    }
  }
})
