import t, { type Test } from 'tap'
import { after, CONSOLE_IDLE_TTL, CONSOLE_SESSION_TTL, SESSION_TTL } from '../../src/lifetimes.js'
import { CONSOLE_ID } from '../../src/oauth/console-client.js'
import { sessionIdFor } from '../../src/oauth/session-id.js'
import { MAX_USER_SESSIONS } from '../../src/stores/sessions/sessions.js'
import { client } from '../support/helper.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const NOW = new Date()

/** An administrator's code for the console, and what exchanges it for a session. */
async function begin (t: Test) {
  const { stores, other } = await twoReplicas(t)
  await stores.clients.put(client({ id: CONSOLE_ID, grantTypes: ['authorization_code'] }))
  await stores.users.add({ id: 'ann', username: 'ann', passwordHash: 'x', demo: false })
  /** Signs a browser in. Its first session has the same id as `sid`. */
  const signIn = async (idHash: string, { seconds = SESSION_TTL, ...session }: { seconds?: number, sid?: string } = {}) => {
    const user = (await stores.users.find('ann'))!
    t.equal(await stores.sessions.add({ idHash, user, authTime: NOW, amr: 'pwd', expiresAt: after(NOW, seconds), ...session }), true)
  }
  const issue = async (name: string, epoch = 0, sid = name) => {
    const granted = { clientId: CONSOLE_ID, userId: 'ann', scope: '', audience: 'x', createdAt: NOW, expiresAt: after(NOW, 60) }
    await stores.grants.add({ ...granted, id: name, nonceHash: name, responseType: 'code', epoch, isSilent: false })
    await stores.codes.add({
      ...granted, hash: name, grantId: name, redirectUri: 'x', callbackNamed: true, codeChallenge: 'challenge', authTime: NOW, amr: 'pwd', sid
    })
    return { codeHash: name, codeChallenge: 'challenge' }
  }
  const start = async (name: string, epoch = 0) => {
    await signIn(name)
    t.equal(await stores.consoleSessions.start({ ...await issue(name, epoch), idHash: name }, NOW), 'pwd')
  }
  return { stores, other, signIn, issue, start, find: (id: string, seconds = 1) => stores.consoleSessions.find(id, after(NOW, seconds)) }
}

t.test('a code starts one session, for its own challenge, in its minute', async t => {
  const { stores, other, signIn, issue, find } = await begin(t)
  const code = await issue('code')
  await signIn('code')
  const { consoleSessions } = stores
  t.equal(await consoleSessions.start({ ...code, codeChallenge: 'other', idHash: 'a' }, NOW), null)
  t.equal(await consoleSessions.start({ ...code, idHash: 'a' }, after(NOW, 61)), null)
  const raced = await Promise.all([stores, other, stores, other].map((it, index) => it.consoleSessions.start({ ...code, idHash: `${index}` }, NOW)))
  t.equal(raced.filter(Boolean).length, 1)
  t.equal((await find(`${raced.indexOf('pwd')}`))?.username, 'ann')
  const { authorizedApps } = await stores.authorizedApps.of('ann', NOW, 600)
  t.same(authorizedApps, [], 'the console is no app on the account page')
})

t.test('a code of another client starts no session', async t => {
  const { stores, signIn, issue } = await begin(t)
  await signIn('mine')
  await stores.clients.put(client({ grantTypes: ['authorization_code'] }))
  const granted = { clientId: 'app', userId: 'ann', scope: '', audience: 'x', createdAt: NOW, expiresAt: after(NOW, 60) }
  await stores.grants.add({ ...granted, id: 'g', nonceHash: 'g', responseType: 'code', epoch: 0, isSilent: false })
  await stores.codes.add({ ...granted, hash: 'c', grantId: 'g', redirectUri: 'x', callbackNamed: true, codeChallenge: 'challenge', authTime: NOW, amr: 'pwd' })
  t.equal(await stores.consoleSessions.start({ ...await issue('mine'), codeHash: 'c', idHash: 'a' }, NOW), null)
})

t.test('a session ends after 30 minutes without use, and 12 hours after the sign-in', async t => {
  const { stores, signIn, start, find } = await begin(t)
  await start('s')
  // The user signs in again in the browser, for an app.
  await stores.sessions.remove('s', 'ann')
  await signIn('next', { sid: 's', seconds: 2 * CONSOLE_SESSION_TTL })
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
    t.equal(await stores.consoleSessions.start({ ...inFlight, idHash: 'late' }, NOW), null, name)
  }
})

t.test('a session ends with the browser session that it began in, however that ends, and so does a code in flight', async t => {
  const { stores, other, signIn, issue, start, find } = await begin(t)
  await stores.clients.put(client({ backchannelLogoutUri: 'https://app.example/logout' }))
  const { sessions, clientSessions } = stores
  const surplus = Array.from({ length: MAX_USER_SESSIONS }, (_, index) => `${index}`)
  const ends: Record<string, (name: string) => Promise<unknown>> = {
    'signed out': name => sessions.remove(name),
    'another user signed in': name => sessions.remove(name, 'bob'),
    'ended on another device': name => sessions.end('ann', name),
    'signed out by an app': async name => {
      await clientSessions.begin({ id: name, sid: name }, { clientId: 'app', epoch: 0, endsAt: after(NOW, 60) })
      t.equal(await clientSessions.end(sessionIdFor('app', name)), 'ann')
    },
    'one session too many': async () => { for (const name of surplus) await signIn(name) }
  }
  await start('stays')
  for (const [name, end] of Object.entries(ends)) {
    await start(name)
    const inFlight = await issue(`${name} in flight`, 0, name)
    t.ok(await find(name), name)
    if (name !== 'one session too many') t.ok(await find('stays'), name)
    await Promise.all([end(name), other.consoleSessions.start({ ...inFlight, idHash: `late ${name}` }, NOW)])
    t.equal(await find(name), null, name)
    t.equal(await find(`late ${name}`), null, `${name}: the code that raced it`)
    const later = await issue(`${name} later`, 0, name)
    t.equal(await stores.consoleSessions.start({ ...later, idHash: `later ${name}` }, NOW), null, name)
  }
})

t.test('a session ends when the browser session expires, swept or not; one that goes on after another sign-in keeps it', async t => {
  const { stores, signIn, issue, start, find } = await begin(t)
  await signIn('brief', { seconds: 60 })
  t.equal(await stores.consoleSessions.start({ ...await issue('brief'), idHash: 'brief' }, NOW), 'pwd')
  t.ok(await find('brief', 59))
  t.equal(await find('brief', 60), null)
  await stores.removeExpired('session', after(NOW, 61))
  t.equal(await find('brief', 1), null)
  await start('lasting')
  await stores.sessions.remove('lasting', 'ann')
  await signIn('next', { sid: 'lasting' })
  t.ok(await find('lasting'))
  await stores.sessions.remove('next')
  t.equal(await find('lasting'), null)
})

t.test('a code that names no browser session starts none', async t => {
  const { stores, signIn, issue } = await begin(t)
  await signIn('s')
  const code = await issue('code', 0, 'unknown')
  t.equal(await stores.consoleSessions.start({ ...code, idHash: 'a' }, NOW), null)
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
