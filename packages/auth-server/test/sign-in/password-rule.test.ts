import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { makeDemo } from '../../src/demo.js'
import { hashPassword } from '../../src/sign-in/password.js'
import { createPasswordLinks } from '../../src/sign-in/password-link.js'
import { whyNotPassword, type PasswordOwner } from '../../src/sign-in/password-rule.js'
import { runLoaded } from '../support/cli/loaded.js'
import { form, post } from '../support/code-flow.js'
import { Browser, build, formTokenOf, query } from '../support/helper.js'

const COMMON = 'This password is on lists of common passwords. Choose another one.'
const OWN = 'The password must not be the user name, a name or the email address of the account.'

/** Why not a password, in English. */
async function sentenceFor (password: string, owner: PasswordOwner): Promise<string | null> {
  return (await whyNotPassword({ password, passwordMin: 8 }, owner))?.sentence ?? null
}

t.test('a new password is of 8 characters to 1024 bytes', async t => {
  const whyNot = async (password: string) => await sentenceFor(password, { username: 'ann' })
  for (const password of ['1234567x', '🙂'.repeat(8), 'x'.repeat(1_024), '🙂'.repeat(256)]) t.equal(await whyNot(password), null)
  for (const password of ['', 'a1b2c3d', '🙂'.repeat(7)]) t.equal(await whyNot(password), 'The password is too short: at least 8 characters.')
  for (const password of ['x'.repeat(1_025), '🙂'.repeat(257)]) t.equal(await whyNot(password), 'The password is too long: at most 1024 bytes.')
})

t.test('PASSWORD_MIN makes it longer, wherever a password is set, and on the pages', async t => {
  const { app, stores, databaseUrl } = await build(t, { PASSWORD_MIN: '15' })
  const [short, long] = ['fourteen of us', 'fifteen of them'] as const
  const sentence = 'The password is too short: at least 15 characters.'
  const link = await createPasswordLinks(stores, loadConfig({})).issue((await stores.users.find('ann'))!, {}, app.clock.now())
  t.match((await new Browser(app).get(`/set-password?link=${link}`)).body, /At least 15 characters\..* minlength="15"/s)
  const set = async (password: string) => await post(app, '/set-password', form({ link, new_password: password }))
  t.match(await set(short), { statusCode: 403, body: sentence })
  t.equal((await set(long)).statusCode, 200)
  const browser = new Browser(app)
  await browser.allow(query(), { username: 'ann', password: long })
  const account = await browser.get('/account')
  t.match(account.body, 'minlength="15"')
  const change = { transaction: formTokenOf(account), decision: 'password', password: long, new_password: short }
  t.match(await browser.post('/account', change), { statusCode: 403, body: sentence })
  const env = { DATABASE_URL: databaseUrl, PASSWORD_MIN: '15' }
  t.match(runLoaded(['user', 'add', 'ben'], { env, input: `${short}\n` }), { code: 1, stderr: sentence })
  t.equal(runLoaded(['user', 'add', 'ben'], { env, input: `${long}\n` }).code, 0)
})

t.test('it is not on a list of known passwords, in whatever case or width', async t => {
  const whyNot = async (password: string) => await sentenceFor(password, { username: 'ann' })
  for (const password of ['password', 'PassWord', 'ＰＡＳＳＷＯＲＤ', '12345678', 'iloveyou1', 'TRUSTNO1', 'baseball']) {
    t.equal(await whyNot(password), COMMON, password)
  }
  // What only contains one, or is made of several, is as good as any other.
  for (const password of ['password of ann', 'my password', 'correct horse', 'qwertz-12345678']) t.equal(await whyNot(password), null, password)
})

t.test('it is none of the names that its owner has', async t => {
  const owner: PasswordOwner = {
    username: 'erika.m-42', name: 'Erika Zoë Mustermann', givenName: 'Erika', familyName: 'Mustermann', email: 'e.mustermann+test@mail.example'
  }
  const own = [
    'erika.m-42', 'ERIKAM42', 'Erika Zoë Mustermann', 'erikazoe\u0308mustermann', 'mustermann', 'Erika Mustermann', 'mustermann.erika',
    'e.mustermann+test', 'EMustermannTest', 'e.mustermann+test@mail.example'
  ]
  for (const password of own) t.equal(await sentenceFor(password, owner), OWN, password)
  for (const password of ['erika.m-43', 'mustermann1', 'zoemustermann', 'mail.example']) {
    t.equal(await sentenceFor(password, owner), null, password)
  }
  const nameless = { username: 'ann', givenName: '', familyName: null, email: null }
  t.equal(await whyNotPassword({ password: '        ', passwordMin: 8 }, nameless), null, 'spaces are no name')
})

t.test('the server reads the lists in a thread, not before the first new password', async t => {
  const dist = fileURLToPath(new URL('../../', import.meta.url))
  const holding = (folder: string) => readdirSync(`${dist}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.js') && /['"]@zxcvbn-ts\/|trustno1/.test(readFileSync(`${dist}${folder}/${file}`, 'utf8')))
  t.same(holding('src'), ['sign-in/known-password-worker.js'])
  t.same(holding('bundle'), [])
})

t.test('the rule is the same wherever a password is set; one that exists keeps working', async t => {
  const { app, stores, databaseUrl } = await build(t)
  const ann = async () => (await stores.users.find('ann'))!
  await stores.profiles.change('ann', { name: 'Ann Example', email: 'ann-mary@mail.example' })
  const before = (await ann()).passwordHash
  const bad: Array<[password: string, sentence: string]> = [['Password1', COMMON], ['annexample', OWN], ['Ann-Mary', OWN], ['short', 'The password is too short: at least 8 characters.']]
  const good = 'a password of many words'

  await t.test('by a link', async t => {
    const link = await createPasswordLinks(stores, loadConfig({})).issue(await ann(), {}, app.clock.now())
    const set = async (password: string) => await post(app, '/set-password', form({ link, new_password: password }))
    for (const [password, sentence] of bad) t.match(await set(password), { statusCode: 403, body: sentence }, password)
    t.equal((await ann()).passwordHash, before)
    t.equal((await set(good)).statusCode, 200)
  })

  await t.test('at the account page', async t => {
    const browser = new Browser(app)
    await browser.allow(query(), { username: 'ann', password: good })
    const change = async (password: string) => {
      const transaction = formTokenOf(await browser.get('/account'))
      return await browser.post('/account', { transaction, decision: 'password', password: good, new_password: password })
    }
    for (const [password, sentence] of bad) t.match(await change(password), { statusCode: 403, body: sentence }, password)
    t.equal((await change('another password of many words')).statusCode, 303)
  })

  await t.test('by commands', async t => {
    const env = { DATABASE_URL: databaseUrl }
    for (const [password, sentence] of bad) {
      t.match(runLoaded(['user', 'passwd', 'ann'], { env, input: `${password}\n` }), { code: 1, stderr: sentence }, password)
    }
    const add = (password: string) =>
      runLoaded(['user', 'add', 'bob-builder', '--email', 'robert.builder@mail.example'], { env, input: `${password}\n` })
    for (const [password, sentence] of [['bobbuilder', OWN], ['robert.builder', OWN], ['iloveyou1', COMMON]] as const) {
      t.match(add(password), { code: 1, stderr: sentence }, password)
    }
    t.equal(await stores.users.find('bob-builder'), null)
    t.equal(add(good).code, 0)
  })

  await t.test('what was set before, and the demo person, whom production refuses', async t => {
    await stores.users.setPassword('ann', await hashPassword('Password1'))
    t.equal((await new Browser(app).allow(query(), { username: 'ann', password: 'Password1' })).statusCode, 303)
    await makeDemo(stores, loadConfig({ DEMO_CALLBACK: 'http://localhost:3002/callback' }))
    t.equal((await new Browser(app).allow(query(), { username: 'demo', password: 'demo' })).statusCode, 303)
  })
})
