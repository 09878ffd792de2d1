import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { NewGrant } from '../../src/stores/grants/grants.js'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { codeClient } from '../support/code-flow.js'

export const onBothDatabases = true

const now = new Date()
const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
const authentication = { authTime: now, amr: 'pwd' }

/** Stores with a client, a person, and what a device and the person do. */
async function begin (t: Test) {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  const { clients, users, deviceCodes } = stores
  await clients.add(codeClient())
  const userId = randomUUID()
  await users.add({ id: userId, username: 'ann', passwordHash: 'x', demo: false })
  const request = { clientId: 'app', scope: 'a b', audience: 'api', acrValues: 'phr', maxAge: 300 }
  const add = (name: string, changes = {}) => deviceCodes.add({
    ...request, hash: `device-${name}`, userCodeHash: `user-${name}`, pollInterval: 5, createdAt: now, expiresAt: after(600), ...changes
  })
  const grant = (id: string, changes: Partial<NewGrant> = {}): NewGrant => ({
    ...request,
    id,
    nonceHash: id,
    userId,
    responseType: 'device_code',
    createdAt: now,
    expiresAt: after(1_800),
    epoch: 0,
    isSilent: false,
    ...changes
  })
  const end = after(3_600)
  const poll = (name: string, seconds = 0, { clientId = 'app', audience }: { clientId?: string, audience?: string } = {}) => deviceCodes.poll(
    { hash: `device-${name}`, clientId, audience },
    {
      refreshToken: { hash: randomUUID(), familyHash: randomUUID(), expiresAt: end, endsAt: end },
      grantEndsAt: after(4_200),
      tokensEndAt: after(600)
    },
    after(seconds)
  )
  const state = async (name: string, seconds = 0, changes = {}) => (await poll(name, seconds, changes)).state
  return { stores, deviceCodes, userId, request, add, grant, poll, state }
}

t.test('a device waits, and must wait longer each time that it asks too soon (RFC 8628 §3.5)', async t => {
  const { add, state } = await begin(t)
  t.equal(await add('1'), true)
  t.equal(await state('1', 0), 'pending')
  t.equal(await state('1', 5), 'pending')
  t.equal(await state('1', 9.1), 'pending', 'a second of leeway')
  t.equal(await state('1', 11), 'early')
  t.equal(await state('1', 19), 'early', 'ten seconds now')
  t.equal(await state('1', 33.9), 'pending', 'fifteen seconds now')
  t.equal(await state('1', 599), 'pending')
  t.equal(await state('1', 600), 'expired')
  t.equal(await state('x'), 'invalid')
  t.equal(await state('1', 599, { clientId: 'other' }), 'invalid')
  t.equal(await state('1', 605, { audience: 'other' }), 'elsewhere')
  t.equal(await state('1', 605, { audience: 'api' }), 'expired')
})

t.test('of 100 polls at once of several codes, exactly one exchanges each', async t => {
  const { deviceCodes, add, grant, poll, stores } = await begin(t)
  const names = ['1', '2', '3', '4']
  for (const name of names) {
    await add(name)
    t.equal(await deviceCodes.allow(`user-${name}`, grant(`grant-${name}`), authentication, now), 'allowed')
  }
  const all = await Promise.all(Array.from({ length: 100 }, (_, i) => poll(names[i % 4]!, 1)))
  const granted = all.filter(it => it.state === 'granted')
  t.same(granted.map(({ grantId }) => grantId).sort(), names.map(name => `grant-${name}`))
  t.match(granted[0], { scope: 'a b', audience: 'api', authTime: now, amr: 'pwd', notBefore: null })
  t.equal(all.filter(it => it.state === 'spent').length, 96)
  t.equal(await stores.removeExpired('grant', after(4_199)), 0, 'the grants last as long as their tokens')
  t.equal(await stores.removeExpired('grant', after(4_200)), 4)
})

t.test('of several decisions at once exactly one is made, and no other leaves a grant', async t => {
  const { deviceCodes, stores, add, grant, poll, userId } = await begin(t)
  for (let round = 0; round < 20; round++) {
    const name = String(round)
    await add(name)
    const allows = ['one', 'other'].map(async who =>
      await deviceCodes.allow(`user-${name}`, grant(`${who}-${name}`), authentication, now) === 'allowed')
    const decisions = [...allows, deviceCodes.deny(`user-${name}`, now).then(it => it !== null)]
    const made = await Promise.all(round % 2 === 0 ? decisions : decisions.toReversed())
    t.equal(made.filter(Boolean).length, 1)
    t.equal(await deviceCodes.find(`user-${name}`, now), null)
    const answer = await poll(name, 1)
    const holdings = (await stores.users.storedData('ann', now))!.clients
    if (answer.state === 'granted') {
      t.match(answer, { userId })
      t.equal(await stores.removeExpired('grant', after(4_200)), 1, 'one grant')
    } else {
      t.equal(answer.state, 'denied')
      t.same(holdings, [])
    }
  }
})

t.test('decisions at once on several requests: those without access leave their request pending, the others are made', async t => {
  const { deviceCodes, add, grant, poll, request } = await begin(t)
  for (let round = 0; round < 10; round++) {
    const names = Array.from({ length: 16 }, (_, index) => `${round}-${index}`)
    t.ok((await Promise.all(names.map(name => add(name)))).every(Boolean))
    const hasEnded = (index: number) => index % 4 === round % 4
    const outcomes = await Promise.all(names.map((name, index) =>
      deviceCodes.allow(`user-${name}`, grant(`grant-${name}`, hasEnded(index) ? { epoch: 7 } : {}), authentication, now)))
    t.same(outcomes, names.map((_, index) => hasEnded(index) ? 'ended' : 'allowed'))
    t.same(await Promise.all(names.map(name => deviceCodes.find(`user-${name}`, now))), names.map((_, index) => hasEnded(index) ? request : null))
    t.same(await Promise.all(names.map(async name => (await poll(name, 1)).state)), names.map((_, index) => hasEnded(index) ? 'pending' : 'granted'))
  }
})

t.test('no grant is made where access has ended, and the request still waits', async t => {
  const { deviceCodes, stores, add, grant, userId, request } = await begin(t)
  await add('1')
  await stores.users.endAccess(userId)
  t.equal(await deviceCodes.allow('user-1', grant('a'), authentication, now), 'ended')
  t.same(await deviceCodes.find('user-1', now), request)
  t.equal(await deviceCodes.allow('user-1', grant('a', { epoch: 1 }), authentication, after(600)), 'decided', 'expired')
  t.equal(await deviceCodes.allow('user-1', grant('a', { epoch: 1 }), authentication, now), 'allowed')
  t.equal(await deviceCodes.deny('user-1', now), null)
})

t.test('no code is exchanged after the access of its person or client has ended', async t => {
  const { deviceCodes, stores, add, grant, poll, userId } = await begin(t)
  const { users, clients, authorizedApps, revocations } = stores
  const endings: Array<[name: string, end: () => Promise<unknown>, goOn?: () => Promise<unknown>]> = [
    ['sign-out everywhere', () => users.endAccess(userId)],
    ['a new password', () => users.setPassword('ann', 'y')],
    ['a disabled person', () => users.setDisabled('ann', now), () => users.setDisabled('ann', null)],
    ['a disabled client', () => clients.setDisabled('app', now), () => clients.setDisabled('app', null)],
    ['a revoked client', () => clients.revoke('app')],
    ['a removed app', () => authorizedApps.remove(userId, 'app')],
    ['a revoked grant', () => revocations.add({ id: 'a revoked grant', revokedAt: now, endsAt: after(60) })]
  ]
  for (const [name, end, goOn] of endings) {
    await add(name)
    const epoch = (await users.find('ann', 'app'))!.grantEpoch
    t.equal(await deviceCodes.allow(`user-${name}`, grant(name, { epoch }), authentication, now), 'allowed')
    await end()
    t.match(await poll(name), { state: 'invalid' }, name)
    await goOn?.()
    t.match(await poll(name), { state: 'invalid' }, `${name}, also later`)
  }
  await add('removed')
  await clients.remove('app')
  t.equal(await deviceCodes.find('user-removed', now), null)
  t.equal(await add('late'), false)
})

t.test('what is allowed and exchanged while access ends does not outlive it', async t => {
  const { deviceCodes, stores, add, grant, poll, userId } = await begin(t)
  let granted = 0
  for (let round = 0; round < 30; round++) {
    const name = String(round)
    await add(name)
    const epoch = (await stores.users.find('ann', 'app'))!.grantEpoch
    const exchange = async () => {
      await deviceCodes.allow(`user-${name}`, grant(name, { epoch }), authentication, now)
      return await poll(name)
    }
    const wait = async () => { for (let i = 0; i < round % 6; i++) await new Promise(setImmediate) }
    const [answer] = await Promise.all([exchange(), wait().then(() => stores.users.endAccess(userId))])
    if (answer.state === 'granted') granted++
    t.same((await stores.users.storedData('ann', now))?.clients, [])
    t.not((await poll(name)).state, 'granted')
  }
  t.comment(`${granted} of 30 were exchanged before`)
})

t.test('a user code is unique, and codes are removed an hour after they expired', async t => {
  const { stores, add, state } = await begin(t)
  t.equal(await add('1'), true)
  t.equal(await add('2', { userCodeHash: 'user-1' }), false)
  await stores.clients.setDisabled('app', now)
  t.equal(await add('3'), false)
  t.equal(await stores.removeExpired('device code', after(600 + 3_599)), 0)
  t.equal(await state('1', 600 + 3_599), 'expired')
  t.equal(await stores.removeExpired('device code', after(600 + 3_600)), 1)
  t.equal(await state('1', 600 + 3_600), 'invalid')
})
