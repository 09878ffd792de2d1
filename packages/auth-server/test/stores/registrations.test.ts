import t, { type Test } from 'tap'
import { cleanUpAs } from '../../src/plugins/clean-up.js'
import { MOST_OPEN } from '../../src/stores/client-use.js'
import type { Registration } from '../../src/stores/registrations.js'
import { openStores } from '../../src/stores/stores.js'
import type { Client } from '../../src/oauth/client.js'
import { codeClient } from '../code-flow.js'
import { connectTo, copyClient, longTimeouts, temporaryDatabase } from '../database.js'
import { registered } from '../oauth/client.js'

export const onBothDatabases = true

const now = new Date()
const DAY_MS = 24 * 60 * 60_000
const after = (days: number) => new Date(now.getTime() + days * DAY_MS)
const hundred = Array.from({ length: 100 }, (_, i) => i)
const count = (outcomes: readonly unknown[], wanted: unknown) => outcomes.filter(it => it === wanted).length

async function begin (t: Test) {
  const url = await temporaryDatabase(t)
  // A crowd on a busy machine waits for connections and row locks.
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const { registrations, registrationTokens } = stores
  const token = (id: string, usesLeft = 1) =>
    registrationTokens.add({ id, hash: `hash ${id}`, usesLeft, grantTypes: ['authorization_code'], allowedScope: null, createdAt: now, expiresAt: after(7) })
  const register = (id: string, changes: Partial<Registration> = {}, at = now) => registrations.register({
    client: codeClient({ id }), registrableGrants: ['authorization_code', 'refresh_token'], registrationHash: `manages ${id}`, secretHash: undefined, tokenHash: undefined, ...changes
  }, at)
  const use = (id: string, at = now, changes: Partial<Client> = {}) =>
    registrations.use(registered({ id, registeredBy: 'open', implicit: 'off', ...changes }), at)
  return { url, stores, ...stores, token, register, use }
}

t.test('of 100 registrations at once with a token, as many succeed as it has uses, for good', async t => {
  const { stores, clients, registrationTokens, token, register } = await begin(t)
  for (const [id, uses] of [['once', 1], ['thrice', 3]] as const) {
    await token(id, uses)
    const outcomes = await Promise.all(hundred.map(i => register(`${id}-${i}`, { tokenHash: `hash ${id}`, secretHash: `secret ${id} ${i}` })))
    t.equal(count(outcomes, 'registered'), uses, id)
    t.equal(count(outcomes, 'spent'), 100 - uses)
  }
  const all = await clients.list()
  t.equal(all.length, 4, 'the others left nothing')
  t.same(new Set(all.map(({ registeredBy }) => registeredBy)), new Set(['token']))
  for (const { id } of all) t.equal((await stores.clientSecrets.list(id)).length, 1)
  t.equal(await registrationTokens.find('hash once', now), null)
  await cleanUpAs('a replica', stores, after(6.9))
  t.equal(await register('late', { tokenHash: 'hash once' }, after(6.9)), 'spent')
  t.equal((await registrationTokens.list()).length, 2)
  await cleanUpAs('a replica', stores, after(7))
  t.same(await registrationTokens.list(), [])
  t.equal(await register('late', { tokenHash: 'hash once' }, after(7)), 'spent')
  t.equal((await clients.list()).length, 4, 'apps that registered with a token stay')
})

t.test('an expired token registers nothing, an unknown one neither', async t => {
  const { register, token, clients } = await begin(t)
  await token('week')
  t.equal(await register('a', { tokenHash: 'hash week' }, after(7)), 'spent')
  t.equal(await register('a', { tokenHash: 'hash other' }), 'spent')
  t.equal(await register('a', { tokenHash: 'hash week' }, after(6.99)), 'registered')
  t.equal((await clients.list()).length, 1)
})

t.test('of 100 changes at once with a registration access token, one succeeds; the use of the next token ends it', async t => {
  const { registrations, clients, clientSecrets, register } = await begin(t)
  await register('a', { secretHash: 'secret' })
  const replace = (hash: string, i: number, hasSecret = true, isPresent = true) => registrations.replace({
    clientId: 'a', shown: { hash, isPresent }, registrationHash: `next ${i}`, secretHash: undefined, hasSecret, change: { name: `Name ${i}`, callbacks: [`https://a${i}.example/`] }
  }, now)
  const outcomes = await Promise.all(hundred.map(i => replace('manages a', i)))
  t.equal(count(outcomes, null), 99)
  const winner = outcomes.findIndex(it => it !== null)
  t.match(outcomes[winner], { name: `Name ${winner}`, callbacks: [`https://a${winner}.example/`] })
  t.same(await clients.find('a'), outcomes[winner])
  t.match(await registrations.find('a', `next ${winner}`), { client: { id: 'a', registeredBy: 'open' }, isPresent: true })
  t.equal(await registrations.find('a', 'manages a'), null, 'the new one was used')
  t.equal((await clientSecrets.list('a')).length, 1)
  t.match(await replace(`next ${winner}`, 100, false), { name: 'Name 100' })
  t.same(await clientSecrets.list('a'), [], 'no secret of before becomes valid later')
})

t.test('the token before counts once more until the next one is used: of 100 uses at once one succeeds', async t => {
  const { registrations, register } = await begin(t)
  for (const id of ['read', 'changed', 'removed', 'raced']) await register(id)
  const shown = (hash: string, isPresent: boolean) => ({ shown: { hash, isPresent }, secretHash: undefined, hasSecret: false, change: { name: 'x' } })
  const replace = (id: string, hash: string, isPresent: boolean, next: string) =>
    registrations.replace({ clientId: id, registrationHash: next, ...shown(hash, isPresent) }, now)
  for (const id of ['read', 'changed', 'removed', 'raced']) t.ok(await replace(id, `manages ${id}`, true, `lost ${id}`))
  t.match(await registrations.find('read', 'manages read'), { isPresent: false })
  t.equal(count(await Promise.all(hundred.map(i => registrations.renew('read', 'manages read', `next ${i}`))), true), 1)
  t.equal(count(await Promise.all(hundred.map(i => replace('changed', 'manages changed', false, `next ${i}`))), null), 99)
  for (const id of ['read', 'changed']) for (const hash of [`manages ${id}`, `lost ${id}`]) t.equal(await registrations.find(id, hash), null, hash)
  t.equal(await registrations.remove('removed', 'manages removed'), true)
  // The next token arrived after all: its use and a use of the one before, at once.
  const [found, renewed] = await Promise.all([registrations.find('raced', 'lost raced'), registrations.renew('raced', 'manages raced', 'other')])
  t.equal(await registrations.find('raced', renewed ? 'other' : 'lost raced') === null, false)
  t.ok(renewed || found !== null)
  t.equal(await registrations.find('raced', 'manages raced'), null)
})

t.test('an operator who takes a grant away while the app changes its registration wins, whoever comes first', async t => {
  const { registrations, clients, register } = await begin(t)
  const ids = hundred.slice(0, 20).map(i => `app-${i}`)
  for (const id of ids) await register(id, { registrableGrants: ['authorization_code', 'client_credentials'] })
  const grantTypes = ['authorization_code', 'client_credentials']
  await Promise.all(ids.flatMap((id, i) => {
    const replacement = { clientId: id, shown: { hash: `manages ${id}`, isPresent: true }, registrationHash: 'next', secretHash: undefined, hasSecret: false, change: { grantTypes } }
    const both = [() => clients.change(id, { grantTypes: ['authorization_code'] }), () => registrations.replace(replacement, now)]
    return (i % 2 === 0 ? both : both.toReversed()).map(it => it())
  }))
  for (const id of ids) t.same((await clients.find(id))?.grantTypes, ['authorization_code'])
})

t.test('of 20 removals at once one succeeds; an adopted or disabled app is not managed by itself', async t => {
  const { registrations, clients, register, use } = await begin(t)
  for (const id of ['unused', 'used', 'adopted', 'disabled']) await register(id)
  await use('used')
  for (const id of ['unused', 'used']) {
    t.equal(count(await Promise.all(hundred.slice(80).map(() => registrations.remove(id, `manages ${id}`))), true), 1, id)
    t.equal(await clients.find(id), null)
  }
  await clients.change('adopted', { registeredBy: 'operator' })
  await clients.setDisabled('disabled', now)
  for (const id of ['adopted', 'disabled']) {
    t.equal(await registrations.find(id, `manages ${id}`), null)
    t.equal(await registrations.remove(id, `manages ${id}`), false)
    const replacement = { clientId: id, shown: { hash: `manages ${id}`, isPresent: true }, registrationHash: 'x', secretHash: undefined, hasSecret: false, change: { name: 'x' } }
    t.equal(await registrations.replace(replacement, now), null)
    t.match(await clients.find(id), { name: 'An app' })
  }
  t.equal(await use('disabled'), false)
})

t.test('apps that no one uses are removed: a day after they registered without a token, 400 days after they were last allowed', async t => {
  const { stores, clients, register, token, use } = await begin(t)
  await token('once')
  await register('by-token', { tokenHash: 'hash once' })
  await clients.add(codeClient({ id: 'of-operator' }))
  for (const id of ['unused', 'used', 'adopted']) await register(id)
  t.equal(await use('used'), true)
  await clients.change('adopted', { registeredBy: 'operator' })
  const ids = async () => (await clients.list()).map(({ id }) => id)
  await cleanUpAs('a replica', stores, after(0.9))
  t.same(await ids(), ['adopted', 'by-token', 'of-operator', 'unused', 'used'])
  await cleanUpAs('a replica', stores, after(1.1))
  t.same(await ids(), ['adopted', 'by-token', 'of-operator', 'used'])
  t.equal(await use('unused'), false, 'it is gone: nothing is granted to it')
  await cleanUpAs('a replica', stores, after(399))
  t.same(await ids(), ['adopted', 'by-token', 'of-operator', 'used'])
  await cleanUpAs('a replica', stores, after(400))
  t.same(await ids(), ['adopted', 'by-token', 'of-operator'])
})

t.test('an app that is allowed while the clean-up runs is kept, or was removed before and gets nothing', async t => {
  const { clients, registrations, register, use } = await begin(t)
  const ids = hundred.slice(0, 15).map(i => `app-${i}`)
  for (const id of ids) await register(id)
  const [used] = await Promise.all([
    Promise.all(ids.map(id => use(id, after(2)))), registrations.sweep(after(2), 500)
  ])
  for (const [i, id] of ids.entries()) t.equal(await clients.find(id) !== null, used[i], id)
})

t.test(`about ${MOST_OPEN} apps can register without a token; with one, more`, async t => {
  const { url, register, token } = await begin(t)
  await token('once')
  t.equal(await register('first'), 'registered')
  const connection = await connectTo(url)
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MOST_OPEN - 1}) SELECT n FROM numbers`
  await copyClient(connection, 'first', numbers, { id: "'open-' || n" })
  await connection.close()
  t.equal(await register('last'), 'registered')
  t.equal(await register('one-more'), 'full')
  t.equal(await register('with-token', { tokenHash: 'hash once' }), 'registered')
})

t.test('an app that a document describes has one row, and none that an operator has changed is overwritten', async t => {
  const { clients, use } = await begin(t)
  const allow = (id: string, name: string) => use(id, now, { registeredBy: 'document', name, callbacks: [`https://${name}.example/`] })
  const names = hundred.slice(0, 20).map(i => `name-${i}`)
  t.same(new Set(await Promise.all(names.map(name => allow('https://a.example/c', name)))), new Set([true]))
  const row = await clients.find('https://a.example/c')
  t.match(row, { registeredBy: 'document', usedAt: now, callbacks: [`https://${row?.name}.example/`] })
  t.equal(await allow('https://a.example/c', 'changed'), true)
  t.match(await clients.find('https://a.example/c'), { name: 'changed', callbacks: ['https://changed.example/'] })
  for (const change of [() => clients.setDisabled('https://a.example/c', now), () => clients.change('https://a.example/c', { registeredBy: 'operator' })]) {
    await change()
    t.equal(await allow('https://a.example/c', 'overwritten'), false)
    t.match(await clients.find('https://a.example/c'), { name: 'changed', callbacks: ['https://changed.example/'] })
  }
})
