import t from 'tap'
import { PATH, buildOnce } from '../../support/helper.js'

const env = { IMPLICIT_DEPRECATION: '2026-12-01', IMPLICIT_SUNSET: '2027-06-30T12:00:00Z', IMPLICIT_LINK: 'https://docs.example/move' }
const told = {
  deprecation: '@1796083200',
  sunset: 'Wed, 30 Jun 2027 12:00:00 GMT',
  link: '<https://docs.example/move>; rel="deprecation"; type="text/html"'
}
const said = ({ deprecation, sunset, link }: Record<string, unknown>) => ({ deprecation, sunset, link })
const nothing = { deprecation: undefined, sunset: undefined, link: undefined }

t.test('every answer to a token of the implicit grant says that it is deprecated (RFC 9745) and when it ends (RFC 8594)', async t => {
  const { send, register, issuer } = await buildOnce(t, env)
  await register(1)
  const implicit = await issuer.mint({ claims: { gty: 'implicit' } })
  const others = [
    await issuer.mint({ claims: { gty: 'authorization_code' } }),
    await issuer.mint(),
    await issuer.mint({ claims: { gty: 'Implicit' } })
  ]
  for (const [method, path, status] of [
    ['GET', `${PATH}/1`, 200],
    ['GET', `${PATH}/404`, 404],
    ['POST', PATH, 415],
    ['DELETE', `${PATH}/404`, 404]
  ] as const) {
    const answer = await send(method, path, { token: implicit })
    t.equal(answer.statusCode, status)
    t.same(said(answer.headers), told, `${method} ${path}`)
    for (const token of others) t.same(said((await send(method, path, { token })).headers), nothing)
  }
  const reader = await issuer.mint({ claims: { gty: 'implicit', scope: 'customer:read' } })
  const refused = await send('DELETE', `${PATH}/1`, { token: reader })
  t.equal(refused.statusCode, 403)
  t.same(said(refused.headers), told)
  t.same(said((await send('GET', '/health/live', { token: implicit })).headers), nothing, 'where no token is needed')
})

t.test('without IMPLICIT_DEPRECATION nothing is said, without the others only since when', async t => {
  const quiet = await buildOnce(t)
  const token = await quiet.issuer.mint({ claims: { gty: 'implicit' } })
  t.same(said((await quiet.send('GET', `${PATH}/404`, { token })).headers), nothing)
  const brief = await buildOnce(t, { IMPLICIT_DEPRECATION: '2026-12-01' })
  const other = await brief.issuer.mint({ claims: { gty: 'implicit' } })
  t.same(said((await brief.send('GET', `${PATH}/404`, { token: other })).headers), { ...nothing, deprecation: told.deprecation })
})
