import type { OutgoingAnswer } from '@frontdesk/service-kit/outgoing/outgoing'
import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import t, { type Test } from 'tap'
import { createDocumentRefresh } from '../../src/registration/document-refresh.js'
import { createFetchDocument, GRACE_MS } from '../../src/registration/fetch-document.js'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { registered } from '../support/oauth/client.js'

export const onBothDatabases = true

const id = 'https://app.example/client.json'
const start = new Date('2030-01-01T00:00:00Z').getTime()
const keyOf = (kid: string) => ({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid })
const document = (kid: string, changes: object = {}) => JSON.stringify({
  client_id: id, redirect_uris: ['https://app.example/cb'], token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [keyOf(kid)] }, ...changes
})
const answer = (text: string, status = 200): OutgoingAnswer => ({ status, text, headers: { 'content-type': 'application/json', 'cache-control': 'max-age=120' } })

/** An app with a document, that Ann has allowed, and replicas that refresh it. */
async function prepare (t: Test) {
  const url = await temporaryDatabase(t)
  let time = start
  const clock = { now: () => new Date(time) }
  const site = { asked: 0, ask: async (): Promise<OutgoingAnswer> => answer(document('one')) }
  const replica = async () => {
    const stores = await openStores(url, longTimeouts)
    t.teardown(() => stores.close())
    const config = { allowPrivateNetworks: false, callbackSchemes: [] }
    const guardedFetch = async () => { site.asked++; return await site.ask() }
    const fetchDocument = createFetchDocument({ guardedFetch, clock, config })
    const parts = { clients: stores.clients, documents: stores.clientDocuments, resources: [], fetchDocument }
    const refresh = createDocumentRefresh(parts)
    /** The id of its key, or the error. */
    const keyId = async (isRefused = false) => {
      const row = (await stores.clients.find(id))!
      return await refresh.current(row, '192.0.2.1', clock.now(), isRefused)
        .then(({ jwks }) => JSON.parse(jwks!).keys[0].kid, error => error.error)
    }
    return { stores, keyId, off: createDocumentRefresh({ ...parts, fetchDocument: undefined }) }
  }
  const one = await replica()
  await one.stores.users.add({ id: 'ann', username: 'ann', passwordHash: 'x', demo: false })
  const [fetchedAt, freshUntil] = [new Date(start), new Date(start + 120_000)]
  const app = registered({
    id,
    registeredBy: 'document',
    implicit: 'off',
    grantTypes: ['authorization_code'],
    tokenEndpointAuthMethod: 'private_key_jwt',
    callbacks: ['https://app.example/cb'],
    jwks: JSON.stringify({ keys: [keyOf('one')] }),
    documentFetchedAt: fetchedAt,
    documentFreshUntil: freshUntil
  })
  t.equal(await one.stores.registrations.use(app, 'ann', new Date(start)), 'used')
  return { ...one, app, site, replica, later: (ms: number) => { time += ms } }
}

t.test('a key that its publisher replaced ends with the cache time of the document, on every replica, with one fetch of each for many at once', async t => {
  const { keyId, replica, site, later } = await prepare(t)
  const other = await replica()
  site.ask = async () => answer(document('two'))
  t.equal(await keyId(), 'one', 'within the cache time')
  t.equal(site.asked, 0)
  later(120_000)
  t.same(new Set(await Promise.all(Array.from({ length: 50 }, async (_, i) => await (i % 2 === 0 ? keyId() : other.keyId())))), new Set(['two']))
  t.ok(site.asked <= 2, `${site.asked}`)
  const asked = site.asked
  t.same([await keyId(), await other.keyId(), await (await replica()).keyId()], ['two', 'two', 'two'])
  t.equal(site.asked, asked, 'replicas share the document')
})

t.test('a publisher who changes the key in each cache time while many authenticate at two replicas: all use the last one', async t => {
  const { keyId, replica, site, later } = await prepare(t)
  const other = await replica()
  for (let round = 0; round < 25; round++) {
    later(121_000)
    site.ask = async () => answer(document(`round ${round}`))
    const lanes = Array.from({ length: 16 }, async (_, i) => await (i % 2 === 0 ? keyId(i % 3 === 0) : other.keyId(i % 5 === 0)))
    const used = await Promise.all(lanes)
    t.same(new Set(used), new Set([`round ${round}`]))
  }
  t.ok(site.asked <= 50, `${site.asked} fetches in 25 cache times`)
})

t.test('a signature of no known key has the document fetched at once, but not more often than twice a minute', async t => {
  const { keyId, site, later } = await prepare(t)
  site.ask = async () => answer(document('two'))
  t.equal(await keyId(true), 'two')
  for (let i = 0; i < 10; i++) t.equal(await keyId(true), 'two')
  t.equal(site.asked, 1)
  later(30_000)
  t.equal(await keyId(true), 'two')
  t.equal(site.asked, 2)
})

t.test('404 and 410 end an app until its document is published again', async t => {
  for (const status of [404, 410]) {
    const { keyId, replica, site, later } = await prepare(t)
    later(120_000)
    site.ask = async () => answer('', status)
    t.equal(await keyId(), 'invalid_client')
    t.equal(await (await replica()).keyId(), 'invalid_client')
    site.ask = async () => { throw new OutgoingError('timeout', 'app.example') }
    later(31_000)
    t.equal(await keyId(), 'invalid_client', 'no grace')
    site.ask = async () => answer(document('two'))
    later(31_000)
    t.equal(await keyId(), 'two')
  }
})

t.test('a document that cannot be fetched or read counts for its cache time plus one hour, and not a moment longer', async t => {
  const failures: Record<string, () => Promise<OutgoingAnswer>> = {
    timeout: async () => { throw new OutgoingError('timeout', 'app.example') },
    '5xx': async () => answer('', 503),
    'no JSON': async () => answer('{'),
    'another client_id': async () => answer(document('two', { client_id: 'https://other.example/client.json' })),
    'a secret': async () => answer(document('two', { client_secret: 'x' })),
    none: async () => answer(document('two', { token_endpoint_auth_method: 'none', jwks: undefined }))
  }
  for (const [name, ask] of Object.entries(failures)) {
    const { keyId, site, later, stores } = await prepare(t)
    site.ask = ask
    later(120_000)
    t.equal(await keyId(), 'one', name)
    for (let i = 0; i < 10; i++) await keyId()
    t.equal(site.asked, 1, 'it is not fetched for each request')
    later(GRACE_MS - 1)
    t.equal(await keyId(), 'one', name)
    later(1)
    t.equal(await keyId(), 'invalid_client', name)
    later(400 * 86_400_000)
    t.equal(await keyId(), 'invalid_client', name)
    t.match(await stores.clients.find(id), { tokenEndpointAuthMethod: 'private_key_jwt' })
    site.ask = async () => answer(document('two'))
    later(31_000)
    t.equal(await keyId(), 'two', name)
  }
})

t.test('that too many requests are under way ends no known key, and keeps no other source from a fetch', async t => {
  const { keyId, site, later } = await prepare(t)
  site.ask = async () => { throw new OutgoingError('busy', 'app.example') }
  later(120_000)
  t.equal(await keyId(), 'one')
  later(GRACE_MS)
  t.equal(await keyId(), 'temporarily_unavailable')
  site.ask = async () => answer(document('two'))
  t.equal(await keyId(), 'two', 'at once')
})

t.test('with documents off, nothing is fetched, and what is stored counts no longer than otherwise', async t => {
  const { stores, off, site, later } = await prepare(t)
  const current = async (ms: number) => {
    later(ms)
    return await off.current((await stores.clients.find(id))!, '192.0.2.1', new Date(start + ms)).then(() => true, error => error.error)
  }
  t.equal(await current(120_000), true)
  t.equal(await current(120_000 + GRACE_MS), 'invalid_client')
  t.equal(site.asked, 0)
})

t.test('an app that was removed, disabled or adopted while its document is fetched stays so', async t => {
  const { stores, keyId, site, later } = await prepare(t)
  later(120_000)
  site.ask = async () => { await stores.clients.change(id, { registeredBy: 'operator' }); return answer(document('two')) }
  t.equal(await keyId(), 'one', 'adopted with its key')
  await stores.clients.change(id, { registeredBy: 'document' })
  later(31_000)
  site.ask = async () => { await stores.clients.remove(id); return answer(document('two')) }
  t.equal(await keyId(), 'invalid_client')
  t.equal(await stores.clients.find(id), null)
})

t.test('of documents that are stored at once, the one that was fetched last stays, and keys are never given up for none', async t => {
  const { stores, app } = await prepare(t)
  const versions = Array.from({ length: 40 }, (_, i) => ({
    ...app,
    ...(i % 2 === 0 ? { jwks: JSON.stringify({ keys: [keyOf(`at ${i}`)] }) } : { jwks: null, tokenEndpointAuthMethod: 'none' }),
    documentFetchedAt: new Date(start + i * 1_000),
    documentFreshUntil: new Date(start + i * 1_000 + 120_000),
    usedAt: null
  }))
  const shuffled = versions.map((version, i) => versions[(i * 17) % versions.length] ?? version)
  await Promise.all(shuffled.map(async (version, i) =>
    i % 3 === 0 ? await stores.registrations.use(version, 'ann', new Date(start)) : await stores.clientDocuments.renew(version)))
  const row = (await stores.clients.find(id))!
  t.match(row, { tokenEndpointAuthMethod: 'private_key_jwt', documentFetchedAt: new Date(start + 38_000) })
  t.equal(JSON.parse(row.jwks!).keys[0].kid, 'at 38')
  await stores.clientDocuments.end(id, new Date(start))
  t.equal((await stores.clients.find(id))!.documentFreshUntil?.getTime(), start + 158_000, 'withdrawn earlier')
})
