import { createPasskey } from '@frontdesk/test-kit/passkey'
import t, { type Test } from 'tap'
import { createFactors } from '../../src/factors/index.js'
import { challengeOf, createRelyingParty } from '../../src/factors/relying-party.js'
import { addPasskey, anyone, handleOf, passkeyForm, relyingParty, SITE } from '../support/factors.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const user = { id: 'ann', passwordHash: 'x', epoch: 0 }
const now = new Date()

async function begin (t: Test) {
  const { stores } = await twoReplicas(t)
  for (const id of ['ann', 'bob']) await stores.users.add({ id, username: id, passwordHash: 'x', demo: false })
  const factors = createFactors(stores.factors, Buffer.alloc(32), relyingParty)
  const use = async (form: object, id = 'ann') => (await factors.use(id, { ...form }, now))?.kind
  return { stores, use, passkey: await addPasskey(stores, user) }
}

t.test('a passkey is used with user verification, at this site, on the page that requested it (WebAuthn Level 3 §7.2)', async t => {
  const { stores, use, passkey } = await begin(t)
  t.equal((await stores.users.find('ann'))?.factors, 'passkey')
  const refused = {
    'another challenge': { challenge: challengeOf('other') },
    'another origin': { origin: 'http://localhost:3001' },
    'another RP ID': { rpId: 'example.com' },
    'no user verification': { isVerified: false },
    'no user presence': { isPresent: false },
    'another type': { type: 'webauthn.create' },
    'another user\'s handle': { user: handleOf('bob') },
    'no handle': { user: null },
    'a page in another origin\'s frame': { clientData: { crossOrigin: true } },
    'one that names it': { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } },
    'one that hides it': { clientData: { topOrigin: 'https://evil.example' } }
  }
  for (const [name, signed] of Object.entries(refused)) t.equal(await use(passkeyForm(passkey, name, signed)), undefined, name)
  t.equal(await use(passkeyForm(passkey, 'page'), 'bob'), undefined, 'another user')
  t.equal(await use(passkeyForm(createPasskey(SITE), 'page')), undefined, 'an unknown passkey')
  const stranger = createPasskey(SITE).use({ challenge: challengeOf('page'), user: handleOf('ann') })
  const code = JSON.stringify({ ...JSON.parse(stranger), id: passkey.id, rawId: passkey.id })
  t.equal(await use({ transaction: 'page', code }), undefined, 'another key')
  const noIds = ['\0', '\ud800', '', ' ', 'é', `${passkey.id}=`, 'x'.repeat(1_365)]
    .map(id => JSON.stringify({ ...JSON.parse(stranger), id, rawId: id }))
  for (const code of ['{', '{}', '[]', 'null', '{"id":1}', JSON.stringify({ id: passkey.id }), '{"__proto__":{}}', ...noIds]) {
    t.equal(await use({ transaction: 'page', code }), undefined, code.slice(0, 80))
  }
  t.equal(await use(passkeyForm(passkey, 'page')), 'passkey')
  t.match(await stores.factors.find('ann'), { passkeys: [{ name: 'Phone', lastUsedAt: now }] })
})

t.test('a related origin uses and creates passkeys, and no other one (WebAuthn Level 3 §5.11)', async t => {
  const { use, passkey } = await begin(t)
  for (const origin of ['https://example.de', 'https://id.example.de:8443', 'http://id.example.de', 'https://id.example.de.evil.example']) {
    t.equal(await use(passkeyForm(passkey, origin, { origin })), undefined, origin)
  }
  const origin = 'https://id.example.de'
  t.equal(await use(passkeyForm(passkey, 'page', { origin })), 'passkey')
  t.match(await relyingParty.verifyCreation(createPasskey(SITE).create({ challenge: 'a', origin }), 'a'), { counter: 0n })
})

t.test('a counter must rise, so that a copied authenticator is refused (WebAuthn Level 3 §6.1.1)', async t => {
  const { use, passkey } = await begin(t)
  t.equal(await use(passkeyForm(passkey, 'one', { counter: 4_000_000_000 })), 'passkey')
  t.equal(await use(passkeyForm(passkey, 'two', { counter: 4_000_000_000 })), undefined)
  t.equal(await use(passkeyForm(passkey, 'three', { counter: 0 })), undefined)
  t.equal(await use(passkeyForm(passkey, 'four', { counter: 4_000_000_001 })), 'passkey')
})

/** A public key in COSE: `{ 1: 2, 3: alg, … }`, all in CBOR. */
const cose = (alg: readonly number[], ...entries: readonly Buffer[]) =>
  Buffer.concat([Buffer.from([0xa2 + entries.length, 0x01, 0x02, 0x03, ...alg]), ...entries])

t.test('a new passkey is verified (WebAuthn Level 3 §7.1)', async t => {
  const passkey = createPasskey(SITE)
  const empty = Buffer.from([0xa0])
  const nested = Buffer.concat([Buffer.alloc(60_000, 0x81), Buffer.from([0])])
  const faults = {
    'another challenge': { challenge: 'b' },
    'another origin': { origin: 'http://id.example' },
    'another RP ID': { rpId: 'example.com' },
    'no user verification': { isVerified: false },
    'no user presence': { isPresent: false },
    'another type': { type: 'webauthn.get' },
    'a page in another origin\'s frame': { clientData: { crossOrigin: true } },
    'one that hides it': { clientData: { topOrigin: 'https://evil.example' } },
    'an unknown format': { format: 'x' },
    ...Object.fromEntries(['fido-u2f', 'tpm', 'apple', 'android-key', 'android-safetynet'].map(format => [format, { format }])),
    'none with a statement': { statement: Buffer.from([0xa1, 0x61, 0x61, 0x01]) },
    'packed without a statement': { format: 'packed', statement: empty },
    'packed with a certificate': { format: 'packed', certificates: Buffer.from([0x81, 0x41, 0x30]) },
    'packed with no certificate, but their field': { format: 'packed', certificates: Buffer.from([0xf4]) },
    'packed with another key': { format: 'packed', publicKey: cose([0x26]) },
    'ES384, which was not offered': { publicKey: cose([0x38, 0x22]) },
    'a key without algorithm': { publicKey: Buffer.from([0xa1, 0x01, 0x02]) },
    'a key that is no map': { publicKey: Buffer.from([0x01]) },
    'a key that is too long': { publicKey: cose([0x26], Buffer.concat([Buffer.from([0x20, 0x59, 0x08, 0x00]), Buffer.alloc(2_048)])) },
    'a key that is nested too deep': { publicKey: nested },
    'a map with a repeated key': { publicKey: Buffer.from([0xa2, 0x01, 0x02, 0x01, 0x02]) },
    'a map that claims 2³² entries': { publicKey: Buffer.from([0xba, 0xff, 0xff, 0xff, 0xff]) }
  }
  for (const [name, fault] of Object.entries(faults)) {
    t.equal(await relyingParty.verifyCreation(passkey.create({ challenge: 'a', ...fault }), 'a'), null, name)
  }
  t.match(await relyingParty.verifyCreation(passkey.create({ challenge: 'a', format: 'packed' }), 'a'), { id: passkey.id }, 'self-attested')
  for (const text of ['', '{}', 'null', passkey.use({ challenge: 'a' })]) t.equal(await relyingParty.verifyCreation(text, 'a'), null, text)
  t.match(await relyingParty.verifyCreation(passkey.create({ challenge: 'a' }), 'a'), { id: passkey.id, counter: 0n })
})

t.test('a passkey belongs to one user, whoever adds it again', async t => {
  const { stores, use, passkey } = await begin(t)
  const text = passkey.create({ challenge: 'a', user: handleOf('bob') })
  const verified = (await relyingParty.verifyCreation(text, 'a'))!
  for (const id of ['bob', 'ann']) {
    t.equal(await stores.factors.passkeys.enroll({ ...user, id }, { ...verified, name: 'Mine' }, ['x'], anyone), null, id)
  }
  t.equal(await use(passkeyForm(passkey, 'page'), 'bob'), undefined)
  t.equal(await use(passkeyForm(passkey, 'page', { user: handleOf('ann') })), 'passkey')
})

t.test('issuers on one host share the RP ID, and have other user handles, which do not name the user', async t => {
  const [one, other] = ['http://localhost:3000/a', 'http://localhost:3000/b'].map(issuer =>
    createRelyingParty({ issuer, rpId: 'localhost', relatedOrigins: [], site: 'Frontdesk' })
      .creationOptions('c', { id: 'ann', username: 'Ann' }, []))
  t.equal(one!.rp.id, other!.rp.id)
  t.not(one!.user.id, other!.user.id)
  t.match(one!.user.id, /^[\w-]{43}$/)
})

t.test('a passkey is removed by its own user, and the last one takes the recovery codes with it', async t => {
  const { stores, use, passkey } = await begin(t)
  const second = await addPasskey(stores, user)
  t.equal(await stores.factors.removePasskey({ ...user, id: 'bob' }, passkey.id), false)
  t.equal(await stores.factors.removePasskey({ ...user, passwordHash: 'y' }, passkey.id), false)
  const browser = { id: 'lost', userAgent: null, createdAt: now, expiresAt: new Date(now.getTime() + 60_000) }
  await stores.trustedBrowsers.add(user, browser)
  t.equal(await stores.factors.removePasskey(user, passkey.id), true)
  t.same(await stores.trustedBrowsers.list('ann', now), [], 'trust ends with any factor')
  t.equal(await use(passkeyForm(passkey, 'page')), undefined)
  t.match(await stores.factors.find('ann'), { passkeys: [{ id: second.id }], recoveryCodes: 1 })
  t.equal(await stores.factors.removePasskey(user, second.id), true)
  t.same(await stores.factors.find('ann'), { authenticator: null, passkeys: [], recoveryCodes: 0 })
})
