import t, { type Test } from 'tap'
import { after, CONSOLE_IDLE_TTL, CONSOLE_SESSION_TTL } from '../../src/lifetimes.js'
import { CONSOLE_ID } from '../../src/oauth/console-client.js'
import { client } from '../support/helper.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const NOW = new Date()

/** An administrator's code for the console, and what exchanges it for a session. */
async function begin (t: Test) {
  const { stores, other } = await twoReplicas(t)
  await stores.clients.put(client({ id: CONSOLE_ID, grantTypes: ['authorization_code'] }))
  await stores.users.add({ id: 'ann', username: 'ann', passwordHash: 'x', demo: false })
  const issue = async (name: string, epoch = 0) => {
    const granted = { clientId: CONSOLE_ID, userId: 'ann', scope: '', audience: 'x', createdAt: NOW, expiresAt: after(NOW, 60) }
    await stores.grants.add({ ...granted, id: name, nonceHash: name, responseType: 'code', epoch, isSilent: false })
    await stores.codes.add({
      ...granted, hash: name, grantId: name, redirectUri: 'x', callbackNamed: true, codeChallenge: 'challenge', authTime: NOW
    })
    return { codeHash: name, codeChallenge: 'challenge' }
  }
  const start = async (name: string, epoch = 0) => {
    t.equal(await stores.consoleSessions.start({ ...await issue(name, epoch), idHash: name }, NOW), true)
  }
  return { stores, other, issue, start, find: (id: string, seconds = 1) => stores.consoleSessions.find(id, after(NOW, seconds)) }
}

t.test('a code starts one session, for its own challenge, in its minute', async t => {
  const { stores, other, issue, find } = await begin(t)
  const code = await issue('code')
  const { consoleSessions } = stores
  t.equal(await consoleSessions.start({ ...code, codeChallenge: 'other', idHash: 'a' }, NOW), false)
  t.equal(await consoleSessions.start({ ...code, idHash: 'a' }, after(NOW, 61)), false)
  const raced = await Promise.all([stores, other, stores, other].map((it, index) => it.consoleSessions.start({ ...code, idHash: `${index}` }, NOW)))
  t.equal(raced.filter(Boolean).length, 1)
  t.equal((await find(`${raced.indexOf(true)}`))?.username, 'ann')
  const { authorizedApps } = await stores.authorizedApps.of('ann', NOW, 600)
  t.same(authorizedApps, [], 'the console is no app on the account page')
})

t.test('a code of another client starts no session', async t => {
  const { stores, issue } = await begin(t)
  await stores.clients.put(client({ grantTypes: ['authorization_code'] }))
  const granted = { clientId: 'app', userId: 'ann', scope: '', audience: 'x', createdAt: NOW, expiresAt: after(NOW, 60) }
  await stores.grants.add({ ...granted, id: 'g', nonceHash: 'g', responseType: 'code', epoch: 0, isSilent: false })
  await stores.codes.add({ ...granted, hash: 'c', grantId: 'g', redirectUri: 'x', callbackNamed: true, codeChallenge: 'challenge', authTime: NOW })
  t.equal(await stores.consoleSessions.start({ ...await issue('mine'), codeHash: 'c', idHash: 'a' }, NOW), false)
})

t.test('a session ends after 30 minutes without use, and 12 hours after the sign-in', async t => {
  const { stores, start, find } = await begin(t)
  await start('s')
  t.ok(await find('s', CONSOLE_IDLE_TTL - 1))
  t.equal(await find('s', CONSOLE_IDLE_TTL), null)
  for (let seconds = 1000; seconds < CONSOLE_SESSION_TTL; seconds += 1000) {
    t.ok(await find('s', seconds), `${seconds}`)
    await stores.consoleSessions.see('s', after(NOW, seconds))
  }
  t.ok(await find('s', CONSOLE_SESSION_TTL - 1))
  t.equal(await find('s', CONSOLE_SESSION_TTL), null)
})

t.test('whatever ends a user\'s access ends their sessions of the console, and a code in flight', async t => {
  const { stores, issue, start, find } = await begin(t)
  let epoch = 0
  const ends: Record<string, () => Promise<unknown>> = {
    'sign out everywhere': () => stores.users.endAccess('ann'),
    'another password': () => stores.users.setPassword({ id: 'ann' }, 'y'),
    'removed access': () => stores.authorizedApps.remove('ann', CONSOLE_ID),
    disabled: () => stores.users.setDisabled({ id: 'ann' }, NOW)
  }
  for (const [name, end] of Object.entries(ends)) {
    await start(name, epoch)
    const inFlight = await issue(`${name} in flight`, epoch)
    t.ok(await find(name), name)
    await end()
    epoch++
    t.equal(await find(name), null, name)
    t.equal(await stores.consoleSessions.start({ ...inFlight, idHash: 'late' }, NOW), false, name)
  }
})

t.test('a session ends by signing out; the others of the user stay', async t => {
  const { stores, start, find } = await begin(t)
  await start('one')
  await start('two')
  await stores.consoleSessions.end('one')
  t.equal(await find('one'), null)
  t.ok(await find('two'))
  await stores.removeExpired('console session', after(NOW, CONSOLE_SESSION_TTL + 1))
  t.equal(await find('two'), null)
})
