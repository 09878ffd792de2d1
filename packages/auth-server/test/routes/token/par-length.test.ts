import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { REFERENCE_PREFIX } from '../../../src/consent/pushed-request.js'
import { cleanUp } from '../../../src/plugins/clean-up.js'
import { hashOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import type { NewClient } from '../../../src/stores/clients/client-row.js'
import { MAX_STORED_REQUESTS } from '../../../src/stores/grants/pushed-requests.js'
import { codeClient, codeQuery, post, queryOf } from '../../support/code-flow.js'
import { connectTo } from '../../support/database.js'
import { Browser, build } from '../../support/helper.js'

export const onBothDatabases = true

/** The app, with a client that authenticates with a secret, unless the changes say another method. */
async function prepare (t: Test, changes: Partial<NewClient> = {}) {
  const built = await build(t)
  await built.stores.clients.put(codeClient({ tokenEndpointAuthMethod: 'client_secret_post', ...changes }))
  await built.stores.clientSecrets.add({ clientId: 'app', hash: hashOpaqueToken('secret'), createdAt: new Date() })
  const connection = await connectTo(built.databaseUrl)
  t.teardown(() => connection.close())
  const isPublic = changes.tokenEndpointAuthMethod === 'none'
  const push = async (state: string) => await post(built.app, '/par', codeQuery({ state, ...(isPublic ? {} : { client_secret: 'secret' }) }))
  const stored = async () => Number((await connection.query('SELECT COUNT(*) AS count FROM pushed_request'))[0]!.count)
  return { ...built, connection, push, stored }
}

const referenceOf = (answer: { json: () => unknown }) => (answer.json() as { request_uri: string }).request_uri
const searchOf = (reference: string) => new URLSearchParams({ client_id: 'app', request_uri: reference }).toString()
/** Text that cannot be compressed. */
const noise = (length: number) => randomBytes(length).toString('base64url').slice(0, length)
const sentence = (i: number) => `{"page":${i},"title":"Customer ${i} of the northern region","path":"/customers/${i * 37}/orders?sort=name&order=asc"},`
const readable = Array.from({ length: 40 }, (_, i) => sentence(i)).join('').slice(0, 2_600)

t.test('3.5 kB of readable parameters give at most 2,000 characters, and nothing is stored', async t => {
  for (const changes of [{}, { tokenEndpointAuthMethod: 'none' as const }]) {
    const { app, push, stored } = await prepare(t, changes)
    t.ok(codeQuery({ state: readable }).length >= 3_500)
    const reference = referenceOf(await push(readable))
    t.ok(reference.length <= 2_000, `${reference.length} characters`)
    t.equal(queryOf(await new Browser(app).allow(searchOf(reference))).state, readable)
    t.equal(await stored(), 0)
  }
})

t.test('what stays longer is stored for a client that authenticates, encrypted, until one decision', async t => {
  const { app, databaseUrl, push, stored, connection } = await prepare(t)
  const state = `${noise(6_000)} a secret of the app ${'é'.repeat(500)}`
  const reference = referenceOf(await push(state))
  t.ok(reference.length < 100, `${reference.length} characters`)
  t.equal(await stored(), 1)
  t.notMatch(JSON.stringify(await connection.query('SELECT * FROM pushed_request')), new RegExp(`secret of the app|${reference.slice(-43)}`), databaseUrl)
  const search = searchOf(reference)
  const browsers = await Promise.all(Array.from({ length: 20 }, async () => {
    const browser = new Browser(app)
    return { browser, transaction: await browser.consent(search) }
  }))
  const answers = await Promise.all(browsers.map(({ browser, transaction }) =>
    browser.post(`/consent?${search}`, { transaction, decision: 'allow', username: 'ann', password: 'correct horse' })))
  const [given, ...others] = answers.toSorted((one, other) => one.statusCode - other.statusCode)
  t.equal(given!.statusCode, 303)
  t.equal(queryOf(given!).state, state)
  for (const { statusCode, body } of others) {
    t.equal(statusCode, 400)
    t.match(body, 'This page has already been used.')
  }
  t.equal(await stored(), 0)
  for (const path of ['/authorize', '/consent']) t.equal((await new Browser(app).get(`${path}?${search}`)).statusCode, 400)
})

t.test('a stored request opens for its client only, and ends with its page', async t => {
  const { app, stores, push, stored } = await prepare(t)
  await stores.clients.put(codeClient({ id: 'other' }))
  const reference = referenceOf(await push(noise(6_000)))
  for (const search of [searchOf(reference).replace('app', 'other'), searchOf(`${reference.slice(0, -4)}AAAA`), searchOf(REFERENCE_PREFIX)]) {
    const answer = await new Browser(app).get(`/authorize?${search}`)
    t.match(answer, { statusCode: 400, body: /This sign-in has expired, or its address is damaged\./ })
  }
  const now = stores.clock.now()
  await cleanUp(stores, new Date(now.getTime() + 29 * 60_000))
  t.equal(await stored(), 1)
  await cleanUp(stores, new Date(now.getTime() + 31 * 60_000))
  t.equal(await stored(), 0)
  t.equal((await new Browser(app).get(`/authorize?${searchOf(reference)}`)).statusCode, 400)
})

t.test('a client has at most 1,000 stored requests, of any number at once; those of other clients and short ones go on', async t => {
  const { stores: { pushedRequests, clients }, push, stored, connection } = await prepare(t)
  await clients.put(codeClient({ id: 'other' }))
  const add = async (hash: string, clientId = 'app') => await pushedRequests.add({ hash, clientId, sealed: 'x' })
  for (let i = 0; i < MAX_STORED_REQUESTS - 3; i += 83) {
    await Promise.all(Array.from({ length: Math.min(83, MAX_STORED_REQUESTS - 3 - i) }, (_, j) => add(`${i + j}`)))
  }
  t.equal(await stored(), MAX_STORED_REQUESTS - 3)
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => add(`late ${i}`)))
  t.equal(outcomes.filter(Boolean).length, 3)
  const refused = await push(noise(6_000))
  t.match(refused, { statusCode: 429, headers: { 'retry-after': '60' } })
  t.match(refused.json(), { error: 'temporarily_unavailable', error_description: /^This client has too many long requests/ })
  t.equal((await push('short')).statusCode, 201)
  t.equal(await add('of another', 'other'), true)
  await connection.query("UPDATE pushed_request SET ends_at = '2020-01-01T00:00:00.000+00:00' WHERE hash = '7'")
  t.equal((await push(noise(6_000))).statusCode, 201, 'one that has ended does not count')
  t.equal((await push(noise(6_000))).statusCode, 429)
  const ends = new Date(Date.now() + 24 * 60_000).toISOString().replace('Z', '+00:00')
  await connection.query(`UPDATE pushed_request SET ends_at = '${ends}' WHERE hash = '8'`)
  t.equal((await push(noise(6_000))).statusCode, 201, 'nor does one whose reference has expired, whether or not its page is open')
  await clients.remove('app')
  t.equal(await stored(), 1)
})

t.test('for apps that anyone can register, nothing is stored: the reference stays long, as far as addresses go', async t => {
  for (const changes of [{ tokenEndpointAuthMethod: 'none' as const }, { registeredBy: 'open' as const }]) {
    const { app, push, stored } = await prepare(t, changes)
    const reference = referenceOf(await push(noise(4_500)))
    t.ok(reference.length > 4_500)
    const search = searchOf(reference)
    const redirect = await new Browser(app).get(`/authorize?${search}`)
    t.match(redirect, { statusCode: 302, headers: { location: `https://id.example/consent?${search}` } })
    t.match(await push(noise(7_000)), { statusCode: 413 })
    t.equal(await stored(), 0)
  }
})

t.test('a request of more than 15,000 characters is refused', async t => {
  const { push } = await prepare(t)
  const fixed = codeQuery({ state: '' }).length
  t.equal((await push('x'.repeat(15_000 - fixed - 10))).statusCode, 201)
  t.match((await push('x'.repeat(15_100 - fixed))).json(), { error: 'invalid_request', error_description: 'The request is too long.' })
})

t.test('a pushed request has at most as many parameters as /authorize reads, with those that are added', async t => {
  const { app } = await prepare(t, { tokenEndpointAuthMethod: 'none' })
  const more = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 'x']))
  const push = async (count: number) => await post(app, '/par', new URLSearchParams({ response_type: 'code', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', redirect_uri: 'https://app.example/cb', ...more(count) }).toString(), { authorization: `Basic ${btoa('app:')}` })
  t.equal((await push(95)).statusCode, 201)
  t.equal((await push(96)).statusCode, 400)
})
