import { decodeProtectedHeader } from 'jose'
import t, { type Test } from 'tap'
import { openIdTokenSigner } from '../../src/keys/id-token-signer.js'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

const secretKey = 'abcdefghijklmnopqrstuvwxyz0123456789'
const LANES = 8

/** What opens signers on one database, each as in a process of its own. */
async function prepare (t: Test) {
  const url = await temporaryDatabase(t)
  const open = async (options = {}) => {
    const stores = await openStores(url, longTimeouts)
    t.teardown(() => stores.close())
    return { stores, signer: await openIdTokenSigner(stores.idTokenKeys, { secretKey, ...options }) }
  }
  return { ...await open(), open }
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid

t.test('the first ID token makes the key of its algorithm; of many processes at once, one makes it', async t => {
  const { signer, open } = await prepare(t)
  t.same(signer.keys(), [], 'none without need')
  const signers = [signer]
  while (signers.length < LANES) signers.push((await open()).signer)
  for (const alg of ['ES256', 'EdDSA', 'Ed25519', 'RS256'] as const) {
    const tokens = await Promise.all(signers.flatMap(it => Array.from({ length: LANES }, () => it.sign({ sub: 'ann' }, alg))))
    t.equal(new Set(tokens.map(kidOf)).size, 1, alg)
    for (const it of signers) t.ok(it.keys().some(({ kid }) => kid === kidOf(tokens[0]!)), 'published by each')
  }
  const { signer: later } = await open()
  t.same(later.keys(), signer.keys(), 'also by one that starts later')
})

t.test('a server makes the keys that its clients need before they ask', async t => {
  const { signer, stores } = await prepare(t)
  await signer.refresh()
  t.same(signer.keys(), [], 'there is no client')
  await stores.clients.put(client())
  await stores.clients.put(client({ id: 'other', idTokenSignedResponseAlg: 'EdDSA' }))
  await signer.refresh()
  t.same(signer.keys().map(({ alg }) => alg), ['RS256', 'EdDSA'])
  const before = signer.keys()
  await signer.refresh()
  t.same(signer.keys(), before, 'and no more')
})

t.test('a server publishes the keys that another one made, also of an algorithm that no client needs any more', async t => {
  const { signer, open } = await prepare(t)
  const { signer: other } = await open()
  const token = await other.sign({}, 'ES256')
  await signer.refresh()
  t.same(signer.keys().map(({ kid }) => kid), [kidOf(token)])
})

t.test('a key ring that cannot be read keeps no other one from following', async t => {
  const { signer, stores, open } = await prepare(t)
  const [first] = [await signer.sign({}, 'ES256'), await signer.sign({}, 'EdDSA')]
  const keys = stores.idTokenKeys.of('ES256')
  const [own] = await keys.list()
  await keys.add({ ...own!, kid: 'second', generation: 2, publicJwk: own!.publicJwk.replaceAll(own!.kid, 'second') })
  const [locked] = await stores.idTokenKeys.of('EdDSA').list()
  await stores.idTokenKeys.of('EdDSA').add({ ...locked!, kid: 'locked', generation: 2, privateJwe: 'sealed with another secret' })
  await keys.retire(kidOf(first)!, new Date(Date.now() + 60_000))
  await t.rejects(signer.refresh(), /SECRET_KEY is not the one they were made with/)
  t.notOk(signer.keys().some(({ kid }) => kid === kidOf(first)), 'retired')
  await t.rejects(open(), 'a new server does not start')
})

t.test('the keys are sealed with SECRET_KEY, which can be changed', async t => {
  const { signer, open } = await prepare(t)
  const token = await signer.sign({}, 'ES256')
  const other = 'zyxwvutsrqponmlkjihgfedcba9876543210'
  await t.rejects(open({ secretKey: other }), /SECRET_KEY is not the one they were made with/)
  const { signer: changed } = await open({ secretKey: other, previousSecretKey: secretKey })
  t.equal(kidOf(await changed.sign({}, 'ES256')), kidOf(token))
  const { signer: after } = await open({ secretKey: other })
  t.equal(kidOf(await after.sign({}, 'ES256')), kidOf(token), 'sealed again')
})

t.test('of two keys of an algorithm, concurrent calls retire one at most', async t => {
  const { signer, stores } = await prepare(t)
  const keys = stores.idTokenKeys.of('ES256')
  await signer.sign({}, 'ES256')
  await signer.sign({}, 'EdDSA')
  const [first] = await keys.list()
  await keys.add({ ...first!, kid: 'second', generation: 2 })
  const later = new Date(Date.now() + 60_000)
  const outcomes = await Promise.all(Array.from({ length: LANES }, (_, index) => keys.retire(index % 2 === 0 ? first!.kid : 'second', later)))
  t.equal(outcomes.filter(Boolean).length, 1)
  t.equal((await keys.list()).filter(({ retiredAt }) => retiredAt === null).length, 1)
})
