import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { createFactors, type Factors } from '../../src/factors/index.js'
import { openDataKey } from '../../src/keys/data-key.js'
import type { Secrets } from '../../src/keys/seal.js'
import { MAX_TRUSTED_BROWSERS } from '../../src/stores/users/trusted-browsers.js'
import { addAuthenticator, relyingParty } from '../support/factors.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const user = { id: 'ann', passwordHash: 'x', epoch: 0 }
const now = new Date()
const after = (days: number) => new Date(now.getTime() + days * 86_400_000)
const browser = (id: string, changes = {}) => ({ id, userAgent: 'Firefox', createdAt: now, expiresAt: after(30), ...changes })

async function begin (t: Test) {
  const { stores, direct } = await twoReplicas(t)
  for (const id of ['ann', 'bob']) await stores.users.add({ id, username: id, passwordHash: 'x', demo: false })
  const secrets = { secretKey: randomBytes(32).toString('base64url') }
  const factors: Factors = createFactors(stores.factors, await openDataKey(stores.factors.key, secrets, 'factors'), relyingParty)
  const use = async (code: string, id = 'ann') => (await factors.use(id, { code }, now))?.kind
  return { stores, direct, secrets, factors, use, app: await addAuthenticator(stores, secrets, user) }
}

t.test('a code of the app works once, with spaces too, and for its own user', async t => {
  const { stores, use, app } = await begin(t)
  const code = app.code(now)
  t.equal((await stores.users.find('ann'))?.factors, 'totp')
  t.equal((await stores.users.find('bob'))?.factors, null)
  t.equal(await use(code, 'bob'), undefined)
  t.equal(await use(`${code.slice(0, 3)} ${code.slice(3)} `), 'totp')
  t.equal(await use(code), undefined)
  const next = app.code(new Date(now.getTime() + 30_000))
  const arabic = next.replace(/\d/g, digit => String.fromCharCode(0x660 + Number(digit)))
  t.equal(await use(`\u2068${arabic}\u2069`), 'totp', 'from an Arabic keyboard, or copied from an Arabic email')
  t.match(await stores.factors.find('ann'), { authenticator: { lastUsedAt: now }, recoveryCodes: 10 })
  t.same(await stores.factors.find('bob'), { authenticator: null, passkeys: [], recoveryCodes: 0 })
})

t.test('an earlier code than the last used one does not work', async t => {
  const { factors, app } = await begin(t)
  const next = new Date(now.getTime() + 30_000)
  t.ok(await factors.use('ann', { code: app.code(next) }, now))
  t.equal(await factors.use('ann', { code: app.code(now) }, now), null)
})

t.test('a recovery code works once, however it is typed, and new ones replace all', async t => {
  const { stores, use, app: { codes } } = await begin(t)
  t.equal(new Set(codes).size, 10)
  for (const code of codes) t.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  t.equal(await use(codes[0]!, 'bob'), undefined)
  t.equal(await use(codes[0]!.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'l').replaceAll('-', ' ')), 'recovery-code')
  t.equal(await use(codes[0]!), undefined)
  t.equal((await stores.factors.find('ann')).recoveryCodes, 9)
  t.equal(await stores.factors.recoveryCodes.replace({ ...user, passwordHash: 'y' }, ['a']), false)
  t.equal(await stores.factors.recoveryCodes.replace({ ...user, id: 'bob' }, ['a']), false, 'without a factor')
  t.equal(await stores.factors.recoveryCodes.replace(user, ['a', 'b']), true)
  t.equal(await use(codes[1]!), undefined)
  t.equal((await stores.factors.find('ann')).recoveryCodes, 2)
})

t.test('the app works after SECRET_KEY was rotated, and not with another one', async t => {
  const { stores, secrets, app } = await begin(t)
  const secretKey = randomBytes(32).toString('base64url')
  const open = (secrets: Secrets) => openDataKey(stores.factors.key, secrets, 'factors')
  await t.rejects(open({ secretKey }), /^The key of the authenticator apps cannot be opened: SECRET_KEY is not the one/)
  await open({ secretKey, previousSecretKey: secrets.secretKey })
  await t.rejects(open(secrets), /SECRET_KEY is not the one/)
  t.ok(await createFactors(stores.factors, await open({ secretKey }), relyingParty).use('ann', { code: app.code(now) }, now))
})

t.test('neither secrets nor codes are stored in clear', async t => {
  const { direct, app } = await begin(t)
  const rows = JSON.stringify([await direct.query('SELECT * FROM authenticator'), await direct.query('SELECT * FROM recovery_code')])
  for (const secret of [app.secret, ...app.codes, ...app.codes.map(it => it.replaceAll('-', ''))]) t.notOk(rows.includes(secret))
})

t.test('with the last factor go recovery codes and trusted browsers, unless a role requires a factor', async t => {
  const { stores, direct } = await begin(t)
  t.equal(await stores.trustedBrowsers.add(user, browser('one')), true)
  await stores.roles.add('staff', [])
  await stores.roles.assign('ann', ['staff'])
  await direct.query("UPDATE role SET required_acr = 'urn:frontdesk:acr:mfa'")
  await t.rejects(stores.factors.removeAuthenticator(user), { message: 'A role of the user requires a factor.' })
  t.match(await stores.factors.find('ann'), { authenticator: {}, recoveryCodes: 10 })
  t.equal((await stores.trustedBrowsers.list('ann', now)).length, 1)
  await direct.query('UPDATE role SET required_acr = NULL')
  t.equal(await stores.factors.removeAuthenticator({ ...user, epoch: 1 }), false)
  t.equal(await stores.factors.removeAuthenticator(user), true)
  t.same(await stores.factors.find('ann'), { authenticator: null, passkeys: [], recoveryCodes: 0 })
  t.same(await stores.trustedBrowsers.list('ann', now), [])
  t.equal(await stores.factors.removeAuthenticator(user), false)
})

t.test('an administrator removes all factors, also required ones', async t => {
  const { stores, direct } = await begin(t)
  await stores.trustedBrowsers.add(user, browser('one'))
  await stores.roles.add('staff', [])
  await stores.roles.assign('ann', ['staff'])
  await direct.query("UPDATE role SET required_acr = 'urn:frontdesk:acr:mfa'")
  t.same(await stores.factors.removeAll('ANN'), ['totp'])
  t.same(await stores.factors.removeAll({ id: 'ann' }), [])
  t.equal(await stores.factors.removeAll('zoe'), null)
  for (const table of ['authenticator', 'recovery_code', 'trusted_browser']) t.same(await direct.query(`SELECT * FROM ${table}`), [], table)
})

t.test('a browser is trusted by its user for 30 days, until access ends', async t => {
  const { stores: { trustedBrowsers, users } } = await begin(t)
  t.equal(await trustedBrowsers.add({ ...user, id: 'bob' }, browser('bob')), false, 'without a factor')
  t.equal(await trustedBrowsers.add({ ...user, epoch: 1 }, browser('other')), false, 'after access ended')
  t.equal(await trustedBrowsers.add(user, browser('one')), true)
  t.equal(await trustedBrowsers.use('bob', 'one', now), false)
  t.equal(await trustedBrowsers.use('ann', 'one', after(30)), false)
  t.equal(await trustedBrowsers.use('ann', 'one', after(29)), true)
  t.match(await trustedBrowsers.list('ann', now), [
    { id: 'one', userAgent: 'Firefox', createdAt: now, lastUsedAt: after(29), expiresAt: after(30) }
  ])
  t.equal(await trustedBrowsers.end('bob', 'one'), false)
  await users.endAccess('ann')
  t.equal(await trustedBrowsers.use('ann', 'one', now), false)
  t.same(await trustedBrowsers.list('ann', now), [])
  t.equal(await trustedBrowsers.add({ ...user, epoch: 1 }, browser('two')), true)
  t.equal(await trustedBrowsers.end('ann', 'two'), true)
  t.equal(await trustedBrowsers.use('ann', 'two', now), false)
})

t.test('of too many trusted browsers, the least recently used one is asked again', async t => {
  const { stores: { trustedBrowsers }, direct } = await begin(t)
  for (let i = 0; i < MAX_TRUSTED_BROWSERS; i++) {
    await trustedBrowsers.add(user, browser(`${i}`, { createdAt: new Date(now.getTime() + i) }))
  }
  t.equal(await trustedBrowsers.use('ann', '0', after(1)), true)
  await trustedBrowsers.add(user, browser('new', { createdAt: after(2) }))
  const ids = (await trustedBrowsers.list('ann', now)).map(({ id }) => id)
  t.same([ids.length, ids[0], ids[1], ids.includes('1'), ids.includes('2')], [MAX_TRUSTED_BROWSERS, 'new', '0', false, true])
  t.equal((await direct.query('SELECT * FROM trusted_browser')).length, MAX_TRUSTED_BROWSERS)
})
