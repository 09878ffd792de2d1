import { ACRS, type Acr } from '@frontdesk/schemas/acr'
import { makeDpopKey, signProof } from '@frontdesk/test-kit/dpop'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import t from 'tap'
import { createStepUpCheck } from '../../src/tokens/step-up.js'
import { PATH, buildOnce } from '../support/helper.js'

const [password, mfa, passkey] = ACRS
const NOW = 1_900_000_000
const claims = { iss: 'a', aud: 'b', sub: 'ann', client_id: 'app', scope: '', iat: NOW, exp: NOW + 600, jti: 'c' }

t.test('a sign-in is accepted from the required acr upward, in the order of the levels', t => {
  const table: Array<[required: Acr, accepted: Acr[]]> = [[password, [password, mfa, passkey]], [mfa, [mfa, passkey]], [passkey, [passkey]]]
  for (const [required, accepted] of table) {
    const { assert, parameters } = createStepUpCheck({ acr: required, maxAge: undefined, clients: [] })
    t.same(parameters, { acr_values: accepted.join(' ') })
    for (const acr of accepted) t.equal(assert({ ...claims, acr }), undefined, `${acr} for ${required}`)
    const lower = ACRS.filter(acr => !accepted.includes(acr))
    for (const acr of [...lower, '', 'PHR', 'urn:example:other', 'urn:frontdesk:acr:mfa phr']) {
      t.match(thrownBy(() => assert({ ...claims, acr })), { kind: { name: 'sign-in-insufficient' } }, `${acr} for ${required}`)
    }
    t.match(thrownBy(() => assert(claims)), { kind: { name: 'sign-in-insufficient' } }, 'no acr')
  }
  t.end()
})

t.test('a sign-in is accepted up to its maximum age, with a minute for the difference of clocks', t => {
  const { assert, parameters } = createStepUpCheck({ acr: undefined, maxAge: 300, clients: [] }, () => NOW * 1_000)
  t.same(parameters, { max_age: '300' })
  for (const age of [0, 300, 360, -60]) t.equal(assert({ ...claims, auth_time: NOW - age }), undefined, `${age} s ago`)
  for (const age of [361, -61, 1e9]) {
    const message = 'This requires a sign-in at most 300 seconds ago. Sign in again.'
    t.match(thrownBy(() => assert({ ...claims, auth_time: NOW - age })), { message })
  }
  t.match(thrownBy(() => assert(claims)), { kind: { name: 'sign-in-insufficient' } }, 'no auth_time')
  t.end()
})

t.test('both are required where both are set', t => {
  const { assert } = createStepUpCheck({ acr: mfa, maxAge: 300, clients: [] }, () => NOW * 1_000)
  t.equal(assert({ ...claims, acr: passkey, auth_time: NOW }), undefined)
  for (const token of [{ ...claims, acr: mfa, auth_time: NOW - 600 }, { ...claims, acr: password, auth_time: NOW }]) {
    t.match(thrownBy(() => assert(token)), {
      message: 'This requires a sign-in with the acr urn:frontdesk:acr:mfa or phr, at most 300 seconds ago. Sign in again.'
    })
  }
  t.end()
})

const settings = { STEP_UP_ACR: mfa, STEP_UP_MAX_AGE: '300', STEP_UP_CLIENTS: 'backup, other-job' }
const sensitive = [
  ['POST', `${PATH}/1/erase`], ['GET', `${PATH}/export`], ['HEAD', `${PATH}/export`], ['GET', `${PATH}/1/export`], ['HEAD', `${PATH}/1/export`]
] as const

t.test('erasing and exports need the sign-in of the settings: 401 with what to request (RFC 9470 §3)', async t => {
  const { send, register, issuer, everything } = await buildOnce(t, settings)
  const now = Math.floor(Date.now() / 1_000)
  const mint = async (claims: object) => await issuer.mint({ claims: { ...claims } })
  const tooWeak = [everything, await mint({ acr: password, auth_time: now }), await mint({ acr: mfa, auth_time: now - 400 })]
  for (const [method, path] of sensitive) {
    for (const token of tooWeak) {
      const { statusCode, headers, body } = await send(method, path, { token })
      t.equal(statusCode, 401, `${method} ${path}`)
      t.match(headers['www-authenticate'], /^Bearer realm="customer-service", resource_metadata="[^"]+", error="insufficient_user_authentication", error_description="A stronger or more recent sign-in is required", acr_values="urn:frontdesk:acr:mfa phr", max_age="300", scope="customer:(read|delete)", DPoP (?!.*error=)/)
      if (method !== 'HEAD') t.match(JSON.parse(body), { type: /sign-in-insufficient$/, status: 401 })
    }
    t.equal((await send(method, path, { token: await mint({ scope: 'customer:write' }) })).statusCode, 403, 'the scope comes first')
  }
  await register(1)
  const strong = await mint({ acr: passkey, auth_time: now - 200 })
  for (const [method, path] of sensitive.toReversed()) {
    t.equal((await send(method, path, { token: strong })).statusCode, 200, `${method} ${path}`)
  }
})

t.test('a token without a user: 403, unless the settings name its client', async t => {
  const { send, issuer } = await buildOnce(t, settings)
  const mint = async (sub: string, client: string) => await issuer.mint({ claims: { sub, client_id: client } })
  const answer = await send('GET', `${PATH}/export`, { token: await mint('a-job', 'a-job') })
  t.match([answer.statusCode, answer.json().type, answer.headers['www-authenticate']], [403, /user-missing$/, undefined])
  for (const client of ['backup', 'other-job']) {
    t.equal((await send('GET', `${PATH}/export`, { token: await mint(client, client) })).statusCode, 200, client)
  }
  t.equal((await send('GET', `${PATH}/export`, { token: await mint('ann', 'backup') })).statusCode, 401, 'a user of a named client')
})

t.test('a key-bound token gets the challenge of its scheme', async t => {
  const { send, issuer } = await buildOnce(t, settings)
  const key = await makeDpopKey()
  const token = await issuer.mint({ claims: { cnf: { jkt: key.jkt } } })
  const ask = async (nonce?: string) => {
    const url = `http://localhost:3001${PATH}/export`
    const dpop = await signProof(key, { method: 'GET', url, accessToken: token, ...nonce !== undefined && { nonce } })
    return await send('GET', `${PATH}/export`, { token: null, headers: { authorization: `DPoP ${token}`, dpop } })
  }
  const answer = await ask(String((await ask()).headers['dpop-nonce']))
  t.match([answer.statusCode, answer.headers['www-authenticate']], [401,
    /^DPoP realm="customer-service", .*error="insufficient_user_authentication", .*acr_values="urn:frontdesk:acr:mfa phr", max_age="300", .*algs="[^"]+"$/])
})

t.test('other operations need no second factor, and without the settings none does', async t => {
  const { send, register } = await buildOnce(t, settings)
  await register(1)
  const others = [['GET', `${PATH}/1`, 200], ['GET', PATH, 200], ['GET', `${PATH}/1/history`, 200], ['DELETE', `${PATH}/1`, 204]] as const
  for (const [method, path, status] of others) {
    t.equal((await send(method, path)).statusCode, status, `${method} ${path}`)
  }
  const open = await buildOnce(t)
  await open.register(1)
  for (const [method, path] of sensitive.toReversed()) t.equal((await open.send(method, path)).statusCode, 200, `${method} ${path}`)
})
