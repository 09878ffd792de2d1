import type { JWK } from 'jose'
import t from 'tap'
import { PATH, buildOnce } from '../support/helper.js'
import { makeKey } from '../support/issuer.js'

t.test('a key that the header holds or names is neither used nor fetched: 401 invalid_token', async t => {
  const { send, issuer } = await buildOnce(t)
  const { jwk } = issuer.key
  const stranger = await makeKey(jwk.kid)
  const foreign = async (header: Record<string, unknown>) => await issuer.mint({ key: stranger, header })
  const evil = { ...stranger.jwk, kid: 'evil' } as JWK
  const table: Array<[name: string, token: string]> = [
    ['key type not matching alg', await issuer.mint({ key: await makeKey(jwk.kid, 'RS256') })],
    ['a key in the header, with its kid', await foreign({ jwk: evil, kid: 'evil' })],
    ['a remote key in the header', await foreign({ jku: `${issuer.url}/evil`, kid: 'evil' })],
    ['a certificate in the header', await foreign({ x5c: ['AAAA'], x5u: `${issuer.url}/evil` })]
  ]
  const before = issuer.state.fetches
  for (const [name, token] of table) {
    const answer = await send('GET', `${PATH}/1`, { token })
    t.equal(answer.statusCode, 401, name)
    t.match(answer.headers['www-authenticate'], 'error="invalid_token"', name)
  }
  t.ok(issuer.state.fetches - before <= 1, 'one fetch for an unknown kid, none for what the header names')
})

t.test('only the algorithms in SIGNING_ALGS count', async t => {
  const { send, issuer, keys } = await buildOnce(t, { SIGNING_ALGS: 'RS256' })
  const rsa = await makeKey('rsa', 'RS256')
  issuer.state.keys.push(rsa.jwk)
  await keys?.start()
  t.equal((await send('GET', `${PATH}/1`, { token: await issuer.mint({ key: rsa }) })).statusCode, 404)
  t.equal((await send('GET', `${PATH}/1`, { token: await issuer.mint() })).statusCode, 401)
})

t.test('RS256, EdDSA and Ed25519 (RFC 9864) are accepted by default', async t => {
  const { send, issuer, keys } = await buildOnce(t)
  for (const alg of ['RS256', 'EdDSA', 'Ed25519']) {
    const key = await makeKey(alg, alg)
    issuer.state.keys.push(key.jwk)
    await keys?.start()
    t.equal((await send('GET', `${PATH}/1`, { token: await issuer.mint({ key }) })).statusCode, 404, alg)
  }
})

t.test('a key of the curve Ed25519 fits both names of its algorithm (RFC 9864), unless SIGNING_ALGS leaves one out', async t => {
  for (const [SIGNING_ALGS, accepted] of [['EdDSA,Ed25519', ['EdDSA', 'Ed25519']], ['Ed25519', ['Ed25519']], ['EdDSA', ['EdDSA']]] as const) {
    const { send, issuer, keys } = await buildOnce(t, { SIGNING_ALGS })
    for (const named of ['EdDSA', 'Ed25519', undefined]) {
      const key = await makeKey(`${SIGNING_ALGS} ${named}`, 'Ed25519')
      issuer.state.keys.push({ ...key.jwk, ...(named === undefined ? { alg: undefined } : { alg: named }) } as typeof key.jwk)
      await keys?.start()
      for (const alg of ['EdDSA', 'Ed25519']) {
        const token = await issuer.mint({ key, header: { alg } })
        const status = accepted.some(it => it === alg) ? 404 : 401
        t.equal((await send('GET', `${PATH}/1`, { token })).statusCode, status, `${SIGNING_ALGS}: ${alg}, a key for ${named}`)
      }
    }
  }
})
