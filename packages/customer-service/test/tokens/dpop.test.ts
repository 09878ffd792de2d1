import { makeDpopKey, signProof, type ProofContent } from '@frontdesk/test-kit/dpop'
import { countStatements, stopTime } from '@frontdesk/test-kit/cost'
import t, { type Test } from 'tap'
import { PATH, build } from '../support/helper.js'
import { NO_ACTOR } from '../../src/stores/changes/change.js'

export const onBothDatabases = true

/** A service with a customer, a token that is bound to a key, and its proofs. */
async function prepare (t: Test, env: Record<string, string> = {}) {
  const service = await build(t, env)
  const [start, time] = [service.proofs.now().getTime(), { seconds: 0 }]
  const now = () => new Date(start + time.seconds * 1_000)
  // Nonces change by the minute, however long a test takes.
  t.intercept(service.proofs, 'now', { value: now })
  await service.customers.register({ id: 1, name: 'charitha', age: 33, address: 'piliyandala' }, NO_ACTOR)
  const [key, other] = [await makeDpopKey(), await makeDpopKey('EdDSA')]
  const token = await service.issuer.mint({ claims: { cnf: { jkt: key.jkt } } })
  const base = env.SERVICE_ROOT ?? 'http://localhost:3001'
  const path = new URL(base + PATH).pathname + '/1'
  const ask = async (authorization: string, proof?: string, method = 'GET', url = path) =>
    await service.send(method, url, { token: null, headers: { authorization, ...(proof !== undefined && { dpop: proof }) } })
  const nonce = String((await ask(`DPoP ${token}`)).headers['dpop-nonce'])
  const prove = async (changes: Partial<ProofContent> = {}, by = key) =>
    await signProof(by, { method: 'GET', url: `${base}${PATH}/1`, accessToken: token, nonce, ...changes })
  return { ...service, time, now, key, other, token, nonce, ask, prove, path }
}

t.test('a bound token counts with a proof of its key for this request, whatever the query; the first proof learns the nonce (RFC 9449 §7, §9)', async t => {
  const { token, ask, prove, path } = await prepare(t)
  const asked = await ask(`DPoP ${token}`, await prove({ nonce: undefined }))
  t.match(asked.json(), { type: '/problems/proof-nonce-missing', status: 401 })
  t.match(asked.headers['www-authenticate'], /^DPoP realm="customer-service", .*error="use_dpop_nonce", .*algs="ES256 EdDSA Ed25519"$/)
  const nonce = String(asked.headers['dpop-nonce'])
  const read = await ask(`DPoP ${token}`, await prove({ nonce }), 'GET', `${path}?more=1`)
  t.same([read.statusCode, read.body, read.headers['dpop-nonce']], [200, 'charitha', nonce])
  t.equal((await ask(`dpop  ${token}`, await prove({ method: 'HEAD' }), 'HEAD')).statusCode, 200)
  t.equal((await ask(`DPoP ${token}`, await prove({ method: 'DELETE' }), 'DELETE')).statusCode, 204)
})

t.test('a bound token without a proof that fits is refused, and a bearer token with one (RFC 9449 §4.3, §7.2)', async t => {
  const { token, everything, other, ask, prove, send, issuer } = await prepare(t)
  const once = await prove()
  t.equal((await ask(`DPoP ${token}`, once)).statusCode, 200)
  const [address, hash] = ['The htu of the DPoP proof is not the public address of the request.', 'The ath of the DPoP proof is not the hash of the access token.']
  const rows: Array<[name: string, authorization: string, proof: string | undefined, problem: string, detail?: string]> = [
    ['used before', `DPoP ${token}`, once, 'proof-invalid', 'The DPoP proof was used before. Make one for each request.'],
    ['no proof', `DPoP ${token}`, undefined, 'proof-invalid', 'The request has no DPoP proof.'],
    ['no JWT', `DPoP ${token}`, 'x', 'proof-invalid', 'The DPoP proof is not a JWT.'],
    ['another method', `DPoP ${token}`, await prove({ method: 'HEAD' }), 'proof-invalid', 'The htm of the DPoP proof is not the method of the request.'],
    ['another path', `DPoP ${token}`, await prove({ url: `http://localhost:3001${PATH}/2` }), 'proof-invalid', address],
    ['another host', `DPoP ${token}`, await prove({ url: `http://localhost:80${PATH}/1` }), 'proof-invalid', address],
    ['another token', `DPoP ${token}`, await prove({ accessToken: everything }), 'proof-invalid', hash],
    ['no token', `DPoP ${token}`, await prove({ accessToken: undefined }), 'proof-invalid', hash],
    ['another key', `DPoP ${token}`, await prove({}, other), 'proof-invalid', 'The access token is bound to a different key than the proof\'s.'],
    ['a foreign nonce', `DPoP ${token}`, await prove({ nonce: 'A'.repeat(43) }), 'proof-nonce-missing'],
    ['a bound token as a bearer token', `Bearer ${token}`, undefined, 'token-bound'],
    ['the same with a proof', `Bearer ${token}`, await prove(), 'token-bound'],
    ['a bearer token with a proof', `DPoP ${everything}`, await prove({ accessToken: everything }), 'token-invalid'],
    ['no token at all', 'DPoP', await prove(), 'token-invalid'],
    ['a token that is none', 'DPoP x', await prove({ accessToken: 'x' }), 'token-invalid'],
    ['bound in another way', `DPoP ${await issuer.mint({ claims: { cnf: { 'x5t#S256': 'x' } } })}`, await prove(), 'token-invalid']
  ]
  for (const [name, authorization, proof, problem, detail] of rows) {
    const answer = await ask(authorization, proof)
    if (detail !== undefined) t.equal(answer.json().detail, detail, name)
    t.match([answer.statusCode, answer.json().type, answer.headers['www-authenticate']], [401, `/problems/${problem}`, /^DPoP realm="customer-service", .*algs="/], name)
  }
  t.equal((await send('GET', `${PATH}/1`)).statusCode, 200)
  t.match((await ask(`Bearer ${await issuer.mint({ claims: { cnf: { 'x5t#S256': 'x' } } })}`)).json().type, 'token-invalid')
})

t.test('behind a proxy the address is that of SERVICE_ROOT, with its path', async t => {
  const { token, ask, prove } = await prepare(t, { SERVICE_ROOT: 'https://api.example/crm' })
  t.equal((await ask(`DPoP ${token}`, await prove())).statusCode, 200)
  t.match((await ask(`DPoP ${token}`, await prove({ url: `https://api.example${PATH}/1` }))).json().type, /proof-invalid$/)
})

t.test('100 requests with one proof at two replicas: one is answered; nor later, after the clean-up (RFC 9449 §11.1)', async t => {
  const { token, ask, prove, nonce, removeExpired, time, now, config } = await prepare(t)
  const replica = await build(t, { DATABASE_URL: config.databaseUrl, ISSUER: config.auth!.issuer, JWKS_URL: config.auth!.jwksUrl })
  t.intercept(replica.proofs, 'now', { value: now })
  const proof = await prove()
  const headers = { authorization: `DPoP ${token}`, dpop: proof }
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) =>
    i % 2 === 0 ? ask(`DPoP ${token}`, proof) : replica.send('GET', `${PATH}/1`, { token: null, headers })))
  t.same(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200, 401]))
  t.same(new Set(answers.map(({ headers }) => headers['dpop-nonce'])), new Set([nonce]), 'both make the same nonces')
  for (; time.seconds <= 400; time.seconds += 20) {
    await removeExpired('proof', now())
    t.equal((await ask(`DPoP ${token}`, proof)).statusCode, 401, `${time.seconds} s later`)
  }
  t.equal(await removeExpired('proof', new Date(now().getTime() + 900_000)), 0, 'nothing is left')
})

t.test('a proof costs one statement, shared by requests at once; a bearer token none', async t => {
  stopTime(t)
  const { token, ask, prove, send } = await prepare(t)
  const proofs = await Promise.all(Array.from({ length: 33 }, () => prove()))
  const read = async (some: string[]) => {
    for (const { statusCode } of await Promise.all(some.map(it => ask(`DPoP ${token}`, it)))) t.equal(statusCode, 200)
  }
  t.equal(await countStatements(() => read(proofs.splice(0, 1))), 2, 'the proof and the customer')
  t.equal(await countStatements(() => send('GET', `${PATH}/1`)), 1, 'the customer')
})

t.test('proofs are refused where no proof can be checked: the database is away, or no public address is known', async t => {
  const { token, ask, prove, proofs } = await prepare(t)
  t.intercept(proofs, 'now', { value: () => { throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' }) } })
  t.equal((await ask(`DPoP ${token}`, await prove())).statusCode, 503)
  const nameless = await build(t, { AUDIENCE: 'urn:example:customers' })
  const key = await makeDpopKey()
  const bound = await nameless.issuer.mint({ claims: { aud: 'urn:example:customers', cnf: { jkt: key.jkt } } })
  const headers = { authorization: `DPoP ${bound}`, dpop: 'x' }
  t.match((await nameless.send('GET', `${PATH}/1`, { token: null, headers })).json(), { type: '/problems/proof-invalid', detail: 'This service\'s public address is not set.' })
})
