import t from 'tap'
import { temporaryDatabase } from '../support/database.js'
import { hashPassword } from '../../src/sign-in/password.js'
import { Browser, build, query } from '../support/helper.js'

export const onBothDatabases = true

t.test('five failures on an account slow that source alone; another source signs in', async t => {
  const { app } = await build(t)
  const attempt = (address: string, password: string, username = 'ann') => new Browser(app, address).allow(query(), { username, password })
  for (let i = 0; i < 5; i++) t.equal((await attempt('192.0.2.1', 'wrong', i % 2 ? 'ANN' : 'ann')).statusCode, 403)
  const refused = await attempt('192.0.2.1', 'correct horse')
  t.equal(refused.statusCode, 429)
  t.ok(Number(refused.headers['retry-after']) > 800)
  t.match(refused.body, 'Too many attempts. Try again in 15 minutes')
  t.equal((await attempt('192.0.2.2', 'correct horse')).statusCode, 303, 'a stranger cannot lock out a person')
  t.equal((await attempt('192.0.2.1', 'wrong', 'other')).statusCode, 403, 'nor from other accounts')
})

t.test('a right password forgives the failures before it', async t => {
  const { app } = await build(t)
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 4; i++) await new Browser(app).allow(query(), { username: 'ann', password: 'wrong' })
    t.equal((await new Browser(app).allow()).statusCode, 303)
  }
})

t.test('one source over many accounts is stopped; many at once do not slip through', async t => {
  const { app } = await build(t)
  const browser = new Browser(app, '2001:db8::1')
  const transaction = await browser.consent()
  const responses = await Promise.all(Array.from({ length: 60 }, (_, i) =>
    browser.post(`/consent?${query()}`, { transaction, decision: 'allow', username: `user${i}`, password: 'wrong' })))
  t.equal(responses.filter(it => it.statusCode === 403).length, 30)
  t.equal(responses.filter(it => it.statusCode === 429).length, 30)
  t.equal((await new Browser(app, '2001:db8::2').allow()).statusCode, 429, 'the whole /64 is one source')
  t.equal((await new Browser(app, '2001:db8:0:1::1').allow()).statusCode, 303)
})

t.test(
  '300 guesses at one account from one /48, each from a /64 of its own, are stopped; others of it sign in, and ann from elsewhere',
  async t => {
    const { app, stores } = await build(t)
    await stores.users.add({ id: 'b', username: 'bob', passwordHash: await hashPassword('correct horse'), demo: false })
    const statuses = []
    for (let i = 0; i < 300; i++) {
      const address = `2001:db8:7:${(i * 200).toString(16)}::1`
      statuses.push((await new Browser(app, address).allow(query(), { username: 'ann', password: 'wrong' })).statusCode)
    }
    t.equal(statuses.filter(it => it === 403).length, 20)
    t.equal(statuses.filter(it => it === 429).length, 280)
    const right = async (address: string, username: string) =>
      (await new Browser(app, address).allow(query(), { username, password: 'correct horse' })).statusCode
    t.equal(await right('2001:db8:7:ffff::1', 'bob'), 303, 'who else is there signs in')
    t.equal(await right('2001:db8:8::1', 'ann'), 303, 'and ann from another network')
    t.equal(await right('192.0.2.1', 'ann'), 303)
  }
)

t.test('of a /56 ten guesses at one account are checked, and the sum over accounts has limits too', async t => {
  const { app } = await build(t)
  const guess = async (address: string, username: string) =>
    (await new Browser(app, address).allow(query(), { username, password: 'wrong' })).statusCode
  const one = []
  for (let i = 0; i < 12; i++) one.push(await guess(`2001:db8:9:${i.toString(16)}::1`, 'ann'))
  t.equal(one.filter(it => it === 403).length, 10)
  const many = []
  for (let i = 0; i < 130; i++) many.push(await guess(`2001:db8:a:${(i * 256).toString(16)}::1`, `user${i}`))
  t.equal(many.filter(it => it === 403).length, 120)
})

t.test('hammering one account does not close its source for others', async t => {
  const { app, stores } = await build(t)
  await stores.users.add({ id: 'b', username: 'bob', passwordHash: await hashPassword('correct horse'), demo: false })
  for (let i = 0; i < 40; i++) await new Browser(app).allow(query(), { username: 'ann', password: 'wrong' })
  t.equal((await new Browser(app).allow(query(), { username: 'bob', password: 'correct horse' })).statusCode, 303)
})

t.test('two replicas on one database share the count', async t => {
  const DATABASE_URL = await temporaryDatabase(t)
  const replicas = [await build(t, { DATABASE_URL }), await build(t, { DATABASE_URL })]
  for (let i = 0; i < 5; i++) await new Browser(replicas[i % 2]!.app).allow(query(), { username: 'ann', password: 'wrong' })
  for (const { app } of replicas) t.equal((await new Browser(app).allow()).statusCode, 429)
})
