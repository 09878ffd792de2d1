import { isLockTimeout } from '@frontdesk/database/conflict'
import { createPasskey } from '@frontdesk/test-kit/passkey'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { challengeOf } from '../../src/factors/relying-party.js'
import { hashOpaqueToken, randomOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { unusableHash } from '../../src/sign-in/password.js'
import type { FactorId } from '../../src/stores/users/takeovers.js'
import type { VerifiedUser } from '../../src/stores/users/verified-user.js'
import { codeQuery, exchangeForm, post, queryOf } from '../support/code-flow.js'
import { addAuthenticator, anyone, SITE } from '../support/factors.js'
import { Browser, formTokenOf, type Built } from '../support/helper.js'
import { pathIn, prepareNotMe, subjectOf } from '../support/not-me.js'
import { changeAfter } from '../support/races/change-after.js'
import { prepareFactorRaces } from '../support/races/factors.js'
import { LANES } from '../support/races/in-flight.js'

export const onBothDatabases = true

const ROUNDS = 25

t.test('sign-ins and factors that are added while a change is denied do not outlive it', async t => {
  const { stores, race, secrets } = await prepareFactorRaces(t)
  const later = new Date(Date.now() + 3_600_000)
  const survivors: unknown[] = []
  let added = 0
  for (let round = 0; round < ROUNDS; round++) {
    const user = (await stores.users.find('ann'))!
    const { id } = await addAuthenticator(stores, secrets, user)
    const announced: FactorId = { kind: 'totp', id }
    const idOf = (lane: number) => `${round}-${lane}`
    const results = await race(async ({ factors, sessions, takeovers, trustedBrowsers }, lane) => {
      if (lane === round % LANES) return await takeovers.stop(linkOf(user.id, announced), unusableHash())
      switch (lane % 4) {
        case 0: return await sessions.add({ idHash: idOf(lane), user, authTime: new Date(), amr: 'pwd', expiresAt: later })
          // Sign-ins that share a transaction do not wait for a locked user for long: the response is 503.
          .catch((error: unknown) => { if (isLockTimeout(error)) return null; else throw error })
        case 1: return await factors.passkeys.enroll(user, { id: idOf(lane), publicKey: 'key', counter: 0n, name: 'Phone' }, ['code'], anyone)
        case 2: return await factors.authenticators.enroll(
          user, { id: idOf(lane), secret: 'x', lastStep: 0, replaces: id, recoveryCodes: [] }, anyone)
        default: return await trustedBrowsers.add(user, { id: idOf(lane), userAgent: null, createdAt: new Date(), expiresAt: later })
      }
    })
    t.equal((results[round % LANES] as { isMailable: boolean } | null)?.isMailable, false, 'it has no address') // as: of this lane.
    for (const [lane, result] of results.entries()) {
      if (await stores.sessions.find(idOf(lane), new Date()) !== null) survivors.push('session')
      if (await stores.trustedBrowsers.use('ann', idOf(lane), new Date())) survivors.push('browser')
      // What was added before is announced by an email of its own.
      if (lane % 4 === 0 || lane % 4 === 3 || lane === round % LANES || result === null) continue
      added++
      await stores.takeovers.stop(linkOf(user.id, { kind: lane % 4 === 1 ? 'passkey' : 'totp', id: idOf(lane) }), unusableHash())
    }
    if ((await stores.factors.authenticators.find('ann'))?.id === id) survivors.push('announced factor')
    const { authenticator, passkeys } = await stores.factors.find('ann')
    if (authenticator !== null || passkeys.length > 0) survivors.push('added factor')
    t.equal(await stores.factors.passkeys.enroll(user, { id: `late ${round}`, publicKey: 'key', counter: 0n, name: 'Phone' }, [], anyone), null)
  }
  t.ok(added > 0, `${added} were added before`)
  t.same(survivors, [])
})

t.test('sign-ins and passkeys that are submitted while a link is used do not outlive it', async t => {
  const { app, stores, mails, received, ann, issue, press } = await prepareNotMe(t)
  const password = 'correct horse'
  const { passwordHash } = await ann()
  const survivors: string[] = []
  const done = { codes: 0, passkeys: 0 }
  let pressed = 0
  const announced = () => mails.filter(mail => subjectOf(mail).startsWith('A passkey was added'))
  for (let round = 0; round < ROUNDS; round++) {
    await stores.users.setPassword('ann', passwordHash)
    const [{ id }, link] = [await ann(), await issue()]
    const browsers = Array.from({ length: LANES }, (_, lane) => new Browser(app, `192.0.${round}.${lane}`))
    if (round % 2 === 1) await addAuthenticator(stores, loadConfig({}), await ann())
    const user = await ann()
    const submissions = await Promise.all(browsers.map(async browser =>
      round % 2 === 0 ? await beginSignIn(browser, password) : await beginPasskey(browser, { stores, user, password })))
    const answers = await changeAfter(round % LANES, () => press(link), submissions, round % 2 === 0 ? LANES : 4)
    if ((await stores.sessions.list(id, app.clock.now())).sessions.length > 0) survivors.push('session')
    for (const answer of round % 2 === 0 ? answers.filter(({ statusCode }) => statusCode === 303) : []) {
      done.codes++
      if ((await post(app, '/token', exchangeForm(queryOf(answer).code!))).statusCode === 200) survivors.push('code')
    }
    // Each that was added before is announced by an email of its own, whose link still works.
    done.passkeys += (await stores.factors.passkeys.list(id)).length
    while (announced().length < done.passkeys) await received(mails.length + 1)
    for (const mail of announced().slice(pressed)) await press(pathIn(mail))
    pressed = announced().length
    if ((await stores.factors.passkeys.list(id)).length > 0) survivors.push('passkey')
    await stores.factors.removeAll({ id })
  }
  const some = (count: number, rounds: number) => count > 0 && count < rounds * LANES
  t.ok(some(done.codes, Math.ceil(ROUNDS / 2)), `${done.codes} sign-ins before`)
  t.ok(some(done.passkeys, Math.floor(ROUNDS / 2)), `${done.passkeys} passkeys before`)
  t.same(survivors, [])
})

/** Opens the consent page. Returns what submits the password. */
async function beginSignIn (browser: Browser, password: string) {
  const transaction = await browser.consent(codeQuery())
  return async () => await browser.post(`/consent?${codeQuery()}`, { transaction, decision: 'allow', username: 'ann', password })
}

/** Begins to add a passkey in a session with a second factor. Returns what submits it. */
async function beginPasskey (
  browser: Browser, { stores, user, password }: Pick<Built, 'stores'> & { readonly user: VerifiedUser, readonly password: string }
) {
  const [id, now] = [randomOpaqueToken(), new Date()]
  const expiresAt = new Date(now.getTime() + 3_600_000)
  await stores.sessions.add({ idHash: hashOpaqueToken(id), user, authTime: now, amr: 'pwd otp mfa', expiresAt })
  browser.cookies.set('__Host-session', id)
  const page = await browser.get('/account/passkeys')
  const added = await browser.post('/account/passkeys', { transaction: formTokenOf(page), decision: 'add', name: 'Phone', password })
  const transaction = formTokenOf(added)
  const code = createPasskey(SITE).create({ challenge: challengeOf(transaction) })
  return async () => await browser.post('/account/passkeys', { transaction, decision: 'confirm', name: 'Phone', code })
}

function linkOf (userId: string, factor: FactorId) {
  return { userId, idHash: randomUUID(), keptUntil: new Date(Date.now() + 3_600_000), mailedTo: 'ann@example.com', factor }
}
