import t from 'tap'
import { Keys, fetchJwks } from '../../src/keys/keys.js'
import { createVerifier } from '../../src/tokens/verify.js'
import { PATH, buildOnce } from '../support/helper.js'
import { makeKey, startIssuer } from '../support/issuer.js'

const log = { info () {}, warn () {} }

t.test('the auth-server never reached yet: 503 with Retry-After, not 401; heals by itself', async t => {
  const { send, issuer, everything, keys } = await buildOnce(t, { JWKS_URL: 'http://127.0.0.1:1/' })
  const answer = await send('GET', `${PATH}/1`, { token: everything })
  t.equal(answer.statusCode, 503)
  t.match(answer.headers['retry-after'], /^\d+$/)
  t.match(answer.json(), { type: '/problems/keys-unavailable' })
  t.equal((await send('GET', `${PATH}/1`, { token: null })).statusCode, 401)
  const ready = await send('GET', '/health/ready')
  t.equal(ready.statusCode, 503)
  t.same(ready.json(), {
    status: 'unavailable',
    checks: { database: 'ok', keys: 'not fetched yet from the authorization server', process: 'ok' },
    details: { keys: { failure: 'port' } }
  })
  t.equal((await send('GET', '/health/live')).statusCode, 200)
  t.equal(keys?.areKnown, false)

  issuer.state.isAway = true
  const waiting = new Keys({ url: issuer.url, log })
  t.teardown(() => waiting.stop())
  await waiting.start(10)
  t.equal(waiting.areKnown, false)
  issuer.state.isAway = false
  while (!waiting.areKnown) await new Promise(resolve => setTimeout(resolve, 5))
  t.ok(await waiting.find({ alg: 'ES256', kid: issuer.key.jwk.kid }))
})

t.test('keys are served stale while the auth-server does not answer, and new ones are fetched when it does', async t => {
  const { send, issuer } = await buildOnce(t)
  issuer.state.isAway = true
  t.equal((await send('GET', `${PATH}/1`, { token: await issuer.mint() })).statusCode, 404, 'the key is still known')
  const next = await makeKey('next')
  issuer.state.keys.push(next.jwk)
  issuer.state.isAway = false
  t.equal((await send('GET', `${PATH}/1`, { token: await issuer.mint({ key: next }) })).statusCode, 404, 'fetched for its kid')
})

t.test('a token of a new key while the auth-server does not answer: 503 with Retry-After, and accepted soon after it does', async t => {
  const { send, issuer } = await buildOnce(t)
  const next = await makeKey('next')
  issuer.state.keys.push(next.jwk)
  issuer.state.isAway = true
  const token = await issuer.mint({ key: next })
  for (let i = 0; i < 3; i++) {
    const answer = await send('GET', `${PATH}/1`, { token })
    t.match([answer.statusCode, answer.json().type, answer.headers['retry-after']], [503, '/problems/keys-unavailable', /^\d+$/])
  }
  issuer.state.isAway = false
  const since = Date.now()
  while ((await send('GET', `${PATH}/1`, { token })).statusCode !== 404) await new Promise(resolve => setTimeout(resolve, 20))
  t.ok(Date.now() - since < 6_000, 'not only when another key may be asked for')
})

t.test('readiness says how old the keys are and why the last fetch failed, in fixed words, and fetches nothing for it', async t => {
  const issuer = await startIssuer(t)
  const { send, keys } = await buildOnce(t, { JWKS_URL: issuer.url })
  const { fetches } = issuer.state
  const ready = await send('GET', '/health/ready', { token: null })
  t.same([ready.statusCode, ready.json().checks.keys, ready.json().details.keys.failure], [200, 'ok', undefined])
  t.ok(ready.json().details.keys.ageSeconds < 60)
  t.equal(issuer.state.fetches, fetches)
  issuer.state.isAway = true
  await keys?.start()
  const stale = await send('GET', '/health/ready', { token: null })
  t.match(
    [stale.statusCode, stale.json()],
    [200, { checks: { keys: 'ok' }, details: { keys: { failure: 'cut off' } } }],
    'the keys that are known go on being used'
  )
  t.equal((await buildOnce(t, { AUTH: 'none' }).then(async ({ send }) => await send('GET', '/health/ready'))).json().details, undefined)

  let time = 0
  const aging = new Keys({ url: issuer.url, log, now: () => time })
  t.teardown(() => aging.stop())
  await aging.start()
  t.same(aging.fetches, { failure: 'cut off' })
  issuer.state.isAway = false
  await aging.start()
  time = 61_999
  t.same(aging.fetches, { ageSeconds: 61 })
})

t.test('10,000 unknown kids: at most one fetch per 30 s, and one at a time', async t => {
  const issuer = await startIssuer(t)
  const jwks = await fetchJwks(issuer.url)
  let time = 0
  let made = 0
  let isAway = false
  const fetch = async () => {
    made++
    if (isAway) throw new Error('refused')
    return jwks
  }
  const keys = new Keys({ url: issuer.url, log, fetch, now: () => time })
  t.teardown(() => keys.stop())
  await keys.start()
  const ask = async (count: number) =>
    await Promise.allSettled(Array.from({ length: count }, async (_, index) => await keys.find({ alg: 'ES256', kid: `made up ${index}` })))
  for (const [at, fetches] of [[0, 2], [29_999, 2], [30_000, 3], [59_999, 3], [60_000, 4]] as const) {
    time = at
    t.ok((await ask(2_500)).every(({ status }) => status === 'rejected'))
    t.equal(made, fetches, `after ${at} ms`)
  }
  isAway = true
  time = 90_000
  await ask(100)
  t.equal(made, 5, 'the same while it does not answer')
})

t.test('a verified token is remembered until it ends or the keys change', async t => {
  const issuer = await startIssuer(t)
  let time = Date.now()
  const keys = new Keys({ url: issuer.url, log })
  t.teardown(() => keys.stop())
  await keys.start()
  let lookups = 0
  const find = keys.find
  const counted = Object.assign(Object.create(keys) as Keys, {
    onChange: keys.onChange.bind(keys),
    find: async (header: Parameters<typeof find>[0]) => {
      lookups++
      return await find(header)
    }
  })
  const verify = createVerifier({ issuer: issuer.url, audience: issuer.audience, algorithms: ['ES256'] }, counted, null, () => time)
  const token = await issuer.mint()
  for (let round = 0; round < 3; round++) t.match(await verify(token), { sub: 'person-1' })
  t.equal(lookups, 1, 'one signature check')
  time += 659_000
  t.match(await verify(token), { sub: 'person-1' }, 'within the leeway')
  time += 2_000
  await t.rejects(async () => await verify(token), /expired/, 'ended since')

  time = Date.now()
  const other = await issuer.mint()
  await verify(other)
  issuer.state.keys = [(await makeKey('next')).jwk]
  await keys.start()
  await t.rejects(async () => await verify(other), /expired/, 'its key was withdrawn')
})

t.test('an answer that is not a key set within limits is not taken', async t => {
  const bad: Array<[name: string, answer: Parameters<typeof startIssuer>[1]]> = [
    ['status 500', response => { response.writeHead(500).end('{}') }],
    ['a redirect', response => { response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end() }],
    ['no JSON', response => { response.end('<html>') }],
    ['no keys', response => { response.end('{"keys":[]}') }],
    ['keys that are no objects', response => { response.end('{"keys":["a"]}') }],
    ['null', response => { response.end('null') }],
    ['65 KiB', response => { response.end(JSON.stringify({ keys: [{ kty: 'EC', x: 'x'.repeat(66_000) }] })) }]
  ]
  for (const [name, answer] of bad) {
    const { url } = await startIssuer(t, answer)
    await t.rejects(fetchJwks(url, new AbortController().signal), name)
  }
})
