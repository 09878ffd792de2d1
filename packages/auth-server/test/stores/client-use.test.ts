import t from 'tap'
import { cleanUp } from '../../src/plugins/clean-up.js'
import { MAX_UNCHECKED_CLIENTS_PER_USER } from '../../src/stores/clients/app-room.js'
import { MAX_UNCHECKED_CLIENTS } from '../../src/stores/clients/client-use.js'
import type { Stores } from '../../src/stores/stores.js'
import { codeClient } from '../support/code-flow.js'
import { connectTo, copyClient } from '../support/database.js'
import { after, begin, count, hundred, now } from '../support/stores/registering.js'

export const onBothDatabases = true

t.test('apps that no one uses are removed: a day after they registered without a token, 400 days after they were last allowed', async t => {
  const { stores, clients, register, token, use } = await begin(t)
  await token('once')
  await register('by-token', { tokenHash: 'hash once' })
  await clients.add(codeClient({ id: 'of-operator' }))
  for (const id of ['unused', 'used', 'adopted']) await register(id)
  t.equal(await use('used'), 'used')
  await clients.change('adopted', { registeredBy: 'operator' })
  const ids = async () => (await clients.list()).map(({ id }) => id)
  await cleanUp(stores, after(0.9))
  t.same(await ids(), ['adopted', 'by-token', 'of-operator', 'unused', 'used'])
  await cleanUp(stores, after(1.1))
  t.same(await ids(), ['adopted', 'by-token', 'of-operator', 'used'])
  t.equal(await use('unused'), 'ended', 'it is gone: nothing is granted to it')
  await cleanUp(stores, after(399))
  t.same(await ids(), ['adopted', 'by-token', 'of-operator', 'used'])
  await cleanUp(stores, after(400))
  t.same(await ids(), ['adopted', 'by-token', 'of-operator'])
})

t.test('an app that is allowed while the clean-up runs is kept, or was removed before and gets nothing', async t => {
  const { clients, registrations, register, use } = await begin(t)
  const ids = hundred.slice(0, 15).map(i => `app-${i}`)
  for (const id of ids) await register(id)
  const [used] = await Promise.all([
    Promise.all(ids.map(id => use(id, after(2)))), registrations.sweep(after(2), 500)
  ])
  for (const [i, id] of ids.entries()) t.equal(await clients.find(id) === null ? 'ended' : 'used', used[i], id)
})

t.test(`about ${MAX_UNCHECKED_CLIENTS} apps can register without a token; with one, more`, async t => {
  const { url, register, token } = await begin(t)
  await token('once')
  t.equal(await register('first'), 'registered')
  const connection = await connectTo(url)
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MAX_UNCHECKED_CLIENTS - 1}) SELECT n FROM numbers`
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
  t.same(new Set(await Promise.all(names.map(name => allow('https://a.example/c', name)))), new Set(['used']))
  const row = await clients.find('https://a.example/c')
  t.match(row, { registeredBy: 'document', usedAt: now, callbacks: [`https://${row?.name}.example/`] })
  t.equal(await allow('https://a.example/c', 'changed'), 'used')
  t.match(await clients.find('https://a.example/c'), { name: 'changed', callbacks: ['https://changed.example/'] })
  for (const change of [() => clients.setDisabled('https://a.example/c', now), () => clients.change('https://a.example/c', { registeredBy: 'operator' })]) {
    await change()
    t.equal(await allow('https://a.example/c', 'overwritten'), 'ended')
    t.match(await clients.find('https://a.example/c'), { name: 'changed', callbacks: ['https://changed.example/'] })
  }
})

/** Records a grant of Ann for an app, with a code that waits or, exchanged, with a refresh token. */
async function grant ({ grants, codes }: Stores, clientId: string, exchanged: boolean) {
  const granted = { clientId, userId: 'ann', scope: 'x', audience: 'https://api.example', createdAt: now }
  const code = {
    ...granted,
    hash: `code ${clientId}`,
    grantId: `grant ${clientId}`,
    redirectUri: 'https://app.example/cb',
    callbackNamed: true,
    codeChallenge: 'x',
    authTime: now,
    amr: 'pwd',
    expiresAt: after(1)
  }
  await codes.add(code)
  await grants.add({ ...granted, id: code.grantId, nonceHash: clientId, responseType: 'code', expiresAt: after(1), epoch: 0, isSilent: false })
  const times = { expiresAt: after(7), endsAt: after(7) }
  const refreshToken = { hash: `next ${clientId}`, familyHash: `family ${clientId}`, dpopJkt: null, ...times }
  const yields = { refreshToken, grantEndsAt: after(7), tokensEndAt: after(1) }
  const exchange = { hash: code.hash, clientId, codeChallenge: 'x', redirectUri: code.redirectUri, audience: undefined }
  if (exchanged) await codes.exchange(exchange, yields, now)
}

t.test(`a person has at most ${MAX_UNCHECKED_CLIENTS_PER_USER} apps that no one has checked, however many are allowed at once`, async t => {
  const { clients, registrations, use, users, token, register } = await begin(t)
  const document = { registeredBy: 'document' } as const
  const idOf = (i: number) => `https://a.example/${String(i).padStart(3, '0')}`
  const outcomes = await Promise.all(hundred.concat(100, 101, 102, 103, 104).map(i => use(idOf(i), now, document)))
  t.equal(count(outcomes, 'used'), 100)
  t.equal(count(outcomes, 'many'), 5)
  t.equal((await clients.list()).length, 100)
  const known = idOf(outcomes.indexOf('used'))
  t.equal(await use(known, now, document), 'used', 'those that the person has')
  await token('one')
  await register('by-token', { tokenHash: 'hash one' })
  t.equal(await use('by-token', now, { registeredBy: 'token' }), 'used', 'an operator made its token')
  await register('open')
  t.equal(await use('open'), 'many')
  await users.add({ id: 'ben', username: 'ben', passwordHash: 'x', demo: false })
  t.equal(await use('https://b.example/', now, document, 'ben'), 'used', 'another person')
  t.equal(await use('https://b.example/', now, document, 'someone else'), 'ended', 'a person who was removed')
  await clients.change(known, { registeredBy: 'operator' })
  t.equal(await use('open'), 'used', 'an app that was adopted does not count')
  t.same([await registrations.isAllowed(known), await registrations.isAllowed('https://c.example/')], [true, false])
})

t.test('room is made by the app that was unused for longest; those with tokens stay, and those of other people', async t => {
  const { stores, clients, registrations, register, use, users, authorizedApps } = await begin(t)
  await users.add({ id: 'ben', username: 'ben', passwordHash: 'x', demo: false })
  const ids = ['old', 'shared', 'waiting', 'used', 'new']
  for (const [i, id] of ids.entries()) {
    await register(id)
    t.equal(await use(id, new Date(now.getTime() - 60_000 * (10 - i))), 'used')
  }
  await use('shared', now, {}, 'ben')
  await grant(stores, 'waiting', false)
  await grant(stores, 'used', true)
  const left = async () => (await clients.list()).map(({ id }) => id).toSorted()
  t.equal(await registrations.makeRoom('ann', now), true)
  t.same(await left(), ['new', 'shared', 'used', 'waiting'])
  t.equal(await registrations.makeRoom('ann', now), true)
  t.same(await left(), ['new', 'shared', 'used', 'waiting'], 'of another person, too')
  t.equal(await registrations.isAllowed('shared'), true)
  const outcomes = await Promise.all(hundred.slice(0, 10).map(() => registrations.makeRoom('ann', now)))
  t.equal(count(outcomes, true), 2, 'each is removed once')
  t.same(await left(), ['shared', 'used'])
  t.same([await registrations.isAllowed('used'), await registrations.isAllowed('waiting')], [true, false])
  await authorizedApps.remove('ann', 'used')
  t.equal(await registrations.isAllowed('used'), false, 'the person has removed it')
  await users.remove('ben')
  t.equal(await registrations.isAllowed('shared'), false, 'the person was erased')
})

t.test('a code that is exchanged while its app makes room is exchanged, and the app stays, or neither', async t => {
  const { stores, clients, codes, registrations, register, use } = await begin(t)
  for (const i of hundred.slice(0, 10)) {
    const id = `app-${i}`
    await register(id)
    await use(id)
    await grant(stores, id, false)
    const exchange = { hash: `code ${id}`, clientId: id, codeChallenge: 'x', redirectUri: 'https://app.example/cb', audience: undefined }
    const yields = { refreshToken: null, grantEndsAt: after(7), tokensEndAt: after(1) }
    const exchanging = () => codes.exchange(exchange, yields, now)
    const making = () => registrations.makeRoom('ann', now)
    const [exchanged, made] = i % 2 === 0
      ? await Promise.all([exchanging(), making()])
      : (await Promise.all([making(), exchanging()])).toReversed() as [Awaited<ReturnType<typeof exchanging>>, boolean]
    t.equal(exchanged !== null, !made, id)
    t.equal(await clients.find(id) !== null, !made, id)
    if (!made) await clients.change(id, { registeredBy: 'operator' })
  }
})
