import t from 'tap'
import { cleanUp } from '../../src/plugins/clean-up.js'
import { after, begin, count, hundred, now } from '../support/stores/registering.js'

export const onBothDatabases = true

t.test('of 100 registrations at once with a token, as many succeed as it has uses, for good', async t => {
  const { stores, clients, registrationTokens, token, register } = await begin(t)
  for (const [id, uses] of [['once', 1], ['thrice', 3]] as const) {
    await token(id, uses)
    const outcomes = await Promise.all(hundred.map(i => register(`${id}-${i}`, { tokenHash: `hash ${id}`, firstSecret: { hash: `secret ${id} ${i}`, createdAt: now } })))
    t.equal(count(outcomes, 'registered'), uses, id)
    t.equal(count(outcomes, 'spent'), 100 - uses)
  }
  const all = await clients.list()
  t.equal(all.length, 4, 'the others left nothing')
  t.same(new Set(all.map(({ registeredBy }) => registeredBy)), new Set(['token']))
  for (const { id } of all) t.equal((await stores.clientSecrets.list(id)).length, 1)
  t.equal(await registrationTokens.find('hash once', now), null)
  await cleanUp(stores, after(6.9))
  t.equal(await register('late', { tokenHash: 'hash once' }, after(6.9)), 'spent')
  t.equal((await registrationTokens.list()).length, 2)
  await cleanUp(stores, after(7))
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
  await register('a', { firstSecret: { hash: 'secret', createdAt: now } })
  const replace = (hash: string, i: number, hasSecret = true, isCurrent = true) => registrations.replace({
    clientId: 'a', shown: { hash, isCurrent }, registrationHash: `next ${i}`, change: { name: `Name ${i}`, callbacks: [`https://a${i}.example/`], ...!hasSecret && { firstSecret: null } }
  })
  const outcomes = await Promise.all(hundred.map(i => replace('manages a', i)))
  t.equal(count(outcomes, null), 99)
  const winner = outcomes.findIndex(it => it !== null)
  t.match(outcomes[winner], { name: `Name ${winner}`, callbacks: [`https://a${winner}.example/`] })
  t.same(await clients.find('a'), outcomes[winner])
  t.match(await registrations.find('a', `next ${winner}`), { client: { id: 'a', registeredBy: 'open' }, isCurrent: true })
  t.equal(await registrations.find('a', 'manages a'), null, 'the new one was used')
  t.equal((await clientSecrets.list('a')).length, 1)
  t.match(await replace(`next ${winner}`, 100, false), { name: 'Name 100' })
  t.same(await clientSecrets.list('a'), [], 'no secret of before becomes valid later')
})

t.test('the token before counts once more until the next one is used: of 100 uses at once one succeeds', async t => {
  const { registrations, register } = await begin(t)
  for (const id of ['read', 'changed', 'removed', 'raced']) await register(id)
  const shown = (hash: string, isCurrent: boolean) => ({ shown: { hash, isCurrent }, change: { firstSecret: null, name: 'x' } })
  const replace = (id: string, hash: string, isCurrent: boolean, next: string) =>
    registrations.replace({ clientId: id, registrationHash: next, ...shown(hash, isCurrent) })
  for (const id of ['read', 'changed', 'removed', 'raced']) t.ok(await replace(id, `manages ${id}`, true, `lost ${id}`))
  t.match(await registrations.find('read', 'manages read'), { isCurrent: false })
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
    const replacement = { clientId: id, shown: { hash: `manages ${id}`, isCurrent: true }, registrationHash: 'next', change: { firstSecret: null, grantTypes } }
    const both = [() => clients.change(id, { grantTypes: ['authorization_code'] }), () => registrations.replace(replacement)]
    return (i % 2 === 0 ? both : both.toReversed()).map(it => it())
  }))
  for (const id of ids) t.same((await clients.find(id))?.grantTypes, ['authorization_code'])
})

t.test('an app that is bound to keys while it changes its registration keeps them, in whatever order; it never goes back to none', async t => {
  const { registrations, clients, register } = await begin(t)
  const ids = hundred.slice(0, 20).map(i => `app-${i}`)
  for (const id of ids) await register(id)
  const keys = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: '{"keys":[]}' }
  const weaker = (id: string, hash: string, method: string) => registrations.replace({
    clientId: id, shown: { hash, isCurrent: true }, registrationHash: `next ${id}`, change: { firstSecret: null, tokenEndpointAuthMethod: method, jwks: null, name: 'weak' }
  })
  const outcomes = await Promise.all(ids.map(async (id, i) => {
    const both = [() => clients.change(id, keys), () => weaker(id, `manages ${id}`, i % 2 === 0 ? 'none' : 'client_secret_basic')]
    const [one, other] = await Promise.all((i % 3 === 0 ? both : both.toReversed()).map(it => it()))
    return i % 3 === 0 ? other : one
  }))
  for (const [i, id] of ids.entries()) {
    t.match(await clients.find(id), { ...keys, name: outcomes[i] === 'bound' ? 'An app' : 'weak' })
    const hash = outcomes[i] === 'bound' ? `manages ${id}` : `next ${id}`
    t.equal(await weaker(id, hash, 'none'), 'bound')
    t.match(await registrations.find(id, hash), { client: keys, isCurrent: true }, 'the token was not used up')
  }
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
    const replacement = { clientId: id, shown: { hash: `manages ${id}`, isCurrent: true }, registrationHash: 'x', change: { firstSecret: null, name: 'x' } }
    t.equal(await registrations.replace(replacement), null)
    t.match(await clients.find(id), { name: 'An app' })
  }
  t.equal(await use('disabled'), 'ended')
})
