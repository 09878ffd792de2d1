import drain from '@frontdesk/service-kit/plugins/drain'
import Fastify from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { importUsers } from '../../src/admin/import-users.js'
import { loadConfig } from '../../src/config.js'
import clock from '../../src/plugins/clock.js'
import invitations from '../../src/plugins/invitations.js'
import outbox from '../../src/plugins/outbox.js'
import { hashPassword } from '../../src/sign-in/password.js'
import { createPasswordLinks } from '../../src/sign-in/password-link.js'
import { openStores } from '../../src/stores/stores.js'
import { connectTo, longTimeouts, onPostgresql, temporaryDatabase } from '../support/database.js'
import { CHEAP_HASH } from '../support/foreign-hashes.js'
import { readMail, startMailServer } from '../support/mail-server.js'

export const onBothDatabases = true

const BY = { kind: 'shell', name: 'operator' } as const
const invite = { key: 'May', invite: true }

/** Addresses that the mail server refuses. */
const REFUSALS: Readonly<Record<string, number>> = { 'gone@example.com': 550, 'full@example.com': 452 }

/** A mail server that refuses some addresses, and what starts replicas that send to it. */
async function prepare (t: Test) {
  const url = await temporaryDatabase(t)
  const server = await startMailServer(t, {
    onRcptTo ({ address }, _, done) {
      const responseCode = REFUSALS[address]
      done(responseCode === undefined ? null : Object.assign(new Error('refused'), { responseCode }))
    }
  })
  const config = loadConfig({ ISSUER: 'https://id.example', DATABASE_URL: url, ...server.env })
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const others = [await openStores(url, longTimeouts), await openStores(url, longTimeouts)]
  async function startReplica () {
    const own = others.pop()!
    const fastify = Fastify()
    await fastify.register(drain)
    await fastify.register(clock, { clock: own.clock })
    await fastify.register(outbox, { mail: config.mail })
    await fastify.register(invitations, { config, stores: own, everyMs: 20 })
    await fastify.listen({ port: 0, host: '127.0.0.1' })
    t.teardown(async () => {
      await fastify.close()
      await own.close()
    })
  }
  t.teardown(async () => { for (const own of others) await own.close() })
  const direct = await connectTo(url)
  t.teardown(() => direct.close())
  const due = async () => (await direct.query('SELECT username FROM user_account WHERE invitation_due_at IS NOT NULL')).map(row => row.username)
  return { ...server, config, stores, startReplica, direct, due }
}

t.test('users imported without a password get one invitation each, from any replica', async t => {
  const { config, stores, startReplica, mails, due } = await prepare(t)
  const people = Array.from({ length: 60 }, (_, index) => ({ username: `user${index}`, email: `user${index}@example.com` }))
  const others = [
    { username: 'known', email: 'known@example.com', passwordHash: CHEAP_HASH }, { username: 'unreachable' },
    { username: 'off', email: 'off@example.com', disabled: true }, { username: 'gone', email: 'gone@example.com' },
    { username: 'quick', email: 'quick@example.com' }
  ]
  await importUsers(stores, [...people, ...others], invite, BY)
  await importUsers(stores, people, invite, BY)
  await stores.users.setPassword('quick', await hashPassword('correct horse'))
  await Promise.all([startReplica(), startReplica()])
  while ((await due()).some(name => name !== 'off')) await sleep(20)
  t.strictSame(mails.map(({ to }) => to[0]).sort(), people.map(({ email }) => email).sort())

  const [mail] = mails
  const secret = /set-password\?link=(\S+)/.exec(readMail(mail!).text)?.[1] ?? ''
  const opened = await createPasswordLinks(stores, config).find(secret, stores.clock.now())
  t.match(opened, { isInvitation: true, mailedTo: mail!.to[0], user: { passwordSetAt: null } })
  await stores.users.setDisabled('off', null)
  while ((await due()).length > 0) await sleep(20)
  t.equal(mails.at(-1)?.to[0], 'off@example.com', 'once enabled')
})

t.test('an invitation that a stopped replica has claimed is sent after the claim', async t => {
  const { stores, startReplica, mails, direct, due } = await prepare(t)
  await importUsers(stores, [{ username: 'ann', email: 'ann@example.com' }, { username: 'bob', email: 'bob@example.com' }], invite, BY)
  const claims = await Promise.all([1, 2, 3].map(() => stores.users.claimInvitations(1)))
  t.strictSame(claims.flat().map(({ username }) => username).sort(), ['ann', 'bob'], 'each is claimed once')
  await startReplica()
  await sleep(200)
  t.equal(mails.length, 0)
  const past = onPostgresql ? "now() AT TIME ZONE 'UTC' - interval '1 second'" : "'2020-01-01T00:00:00.000+00:00'"
  await direct.query(`UPDATE user_account SET invitation_due_at = ${past}`)
  while ((await due()).length > 0) await sleep(20)
  t.equal(mails.length, 2)
})

t.test('an email that is retried does not delay the invitations after it', async t => {
  const { stores, startReplica, mails, due } = await prepare(t)
  await importUsers(stores, [{ username: 'full', email: 'full@example.com' }], invite, BY)
  const people = Array.from({ length: 40 }, (_, index) => ({ username: `user${index}`, email: `user${index}@example.com` }))
  await importUsers(stores, people, invite, BY)
  await startReplica()
  const start = performance.now()
  while ((await due()).length > 1) await sleep(20)
  t.strictSame(await due(), ['full'])
  t.ok(performance.now() - start < 60_000, 'before the last retry, after 105 seconds')
  t.equal(mails.length, people.length)
})

t.test('an invitation is in the language of its recipient', async t => {
  const { stores, startReplica, received } = await prepare(t)
  await importUsers(stores, [{ username: 'zoe', email: 'zoe@example.com', locale: 'fr-CH' }], invite, BY)
  await startReplica()
  const { text, html } = readMail(await received(1))
  t.match(text, 'Vous avez un compte sur id.example. Votre nom d’utilisateur est zoe.')
  t.match(html, /<html lang="fr" dir="ltr">.*<title>Votre compte id\.example<\/title>/s)
})
