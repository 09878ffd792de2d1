import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { codeQuery, exchangeForm, form, post, queryOf } from '../../support/code-flow.js'
import { website } from '../../support/document-website.js'
import { Browser, build, type Built } from '../../support/helper.js'

export const onBothDatabases = true

const env = { CLIENT_METADATA_DOCUMENTS: 'on', ALLOW_PRIVATE_NETWORKS: 'true' }
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

async function makeKey () {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  return { jwk: { ...await exportJWK(publicKey), alg: 'ES256' }, privateKey }
}
type Key = Awaited<ReturnType<typeof makeKey>>

/** An app with a document and a key, that Ann has allowed, and its tokens. */
async function prepare (t: Test) {
  const [{ put, pages, asked }, built, first, second] = [await website(t), await build(t, env), await makeKey(), await makeKey()]
  const publish = (key: Key) => {
    const grants = { grant_types: ['authorization_code', 'refresh_token'] }
    return put('/client.json', { ...grants, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } }, { 'cache-control': 'max-age=60' })
  }
  const id = publish(first)
  const sign = async ({ privateKey }: Key) => await new SignJWT({ iss: id, sub: id, aud: 'https://id.example', jti: randomUUID() }).setProtectedHeader({ alg: 'ES256' })
    .setExpirationTime('1m').sign(privateKey)
  const proof = async (key: Key) => ({ client_assertion: await sign(key), client_assertion_type: TYPE })
  /** Whether the key authenticates the app, at each endpoint for apps. */
  const tries = async (key: Key, { app }: Built = built, path = '/revoke') => (await post(app, path, form({ token: 'x', ...await proof(key) }))).statusCode
  const { code = '' } = queryOf(await new Browser(built.app).allow(codeQuery({ client_id: id, scope: 'x' })))
  const exchanged = await post(built.app, '/token', exchangeForm(code, { client_id: undefined, ...await proof(first) }))
  t.equal(exchanged.statusCode, 200, exchanged.body)
  const { stores } = built
  /** Empties the cache of clients, which holds them for two seconds. */
  const forget = async () => await stores.clients.setDisabled(id, null)
  /** The cache time of the document is over. */
  const expire = async () => {
    const row = (await stores.clients.read(id))!
    await stores.clientDocuments.renew({ ...row, documentFreshUntil: new Date(Date.now() - 1) })
    await forget()
  }
  const refreshToken: string = exchanged.json().refresh_token
  return { ...built, id, publish, pages, asked, first, second, tries, expire, forget, proof, refreshToken }
}

t.test('after the cache time, a key that its publisher replaced is refused and the new one works, at both replicas', async t => {
  const { app, databaseUrl, publish, asked, first, second, tries, expire, proof, refreshToken } = await prepare(t)
  const replica = await build(t, { ...env, DATABASE_URL: databaseUrl })
  publish(second)
  t.equal(await tries(first), 200, 'within the cache time')
  t.equal(asked.length, 1)
  await expire()
  // Assertions of both keys, at both replicas and all endpoints, while the document is fetched.
  const lanes = Array.from({ length: 40 }, (_, i) => ({ key: i % 2 === 0 ? first : second, built: i % 4 < 2 ? undefined : replica, path: i % 3 === 0 ? '/introspect' : '/revoke' }))
  const statuses = await Promise.all(lanes.map(async ({ key, built, path }) => await tries(key, built, path)))
  t.same(new Set(statuses.filter((_, i) => i % 2 === 0)), new Set([401]), 'the key before')
  t.same(new Set(statuses.filter((_, i) => i % 2 === 1)), new Set([200]), 'the new key')
  t.ok(asked.length <= 5, `${asked.length} fetches: one of each replica, and one more for a signature of no known key`)
  const refresh = async (key: Key) => (await post(app, '/token', form({ grant_type: 'refresh_token', refresh_token: refreshToken, ...await proof(key) }))).statusCode
  t.same([await refresh(first), await refresh(second)], [401, 200])
})

t.test('an app whose document is gone is refused; one whose website is down goes on', async t => {
  const { pages, first, tries, expire, forget, id, stores } = await prepare(t)
  const path = new URL(id).pathname
  pages.set(path, response => response.writeHead(503).end())
  await expire()
  t.equal(await tries(first), 200)
  pages.delete(path)
  await stores.clientDocuments.end(id, new Date())
  await forget()
  t.equal(await tries(first), 401)
})

t.test('a document that an endpoint for apps has fetched counts on the pages too, before the one that they remember', async t => {
  const [{ put }, { app, stores }, key] = [await website(t), await build(t, env), await makeKey()]
  const id = put('/client.json', {}, { 'cache-control': 'max-age=86400' })
  const browser = new Browser(app)
  await browser.allow(codeQuery({ client_id: id, scope: 'x' }))
  put('/client.json', { client_name: 'Notes with a key', token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } })
  const row = (await stores.clients.read(id))!
  await stores.clientDocuments.renew({ ...row, documentFreshUntil: new Date(Date.now() - 1) })
  await stores.clients.setDisabled(id, null)
  t.equal((await post(app, '/revoke', form({ token: 'x', client_id: id }))).statusCode, 401, 'it has a key now')
  await stores.clients.setDisabled(id, null)
  const page = await browser.get(`/consent?${codeQuery({ client_id: id, scope: 'x' })}`)
  t.equal(page.statusCode, 200)
  t.match(page.body, 'Notes with a key')
})
