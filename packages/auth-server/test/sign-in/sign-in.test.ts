import { once } from 'node:events'
import { request } from 'node:http'
import { availableParallelism } from 'node:os'
import t from 'tap'
import { NOBODY, hashPassword, verifyPassword } from '../../src/sign-in/password.js'
import { onPostgresql, temporaryDatabase } from '../database.js'
import { Browser, build, query } from '../helper.js'

t.test('every wrong attempt gets the same answer: unknown, wrong, empty, too long, disabled', async t => {
  const { app, stores } = await build(t)
  await stores.users.add({ id: 'x', username: 'gone', passwordHash: await hashPassword('correct horse'), demo: false })
  await stores.users.setDisabled('gone', new Date())
  const normal = (body: string) => body.replace(/value="[^"]*"/g, 'value=""')
  const bodies = []
  for (const [i, [username, password]] of [['ann', 'wrong'], ['ann', ''], ['nobody', 'wrong'], ['', ''], ['gone', 'correct horse'], ['ann', 'x'.repeat(1025)], ['nobody', 'x'.repeat(1025)]].entries()) {
    const response = await new Browser(app, `192.0.2.${i}`).allow(query(), { username: username!, password: password! })
    t.equal(response.statusCode, 403)
    t.match(response.body, 'role="alert"')
    t.notOk(response.cookies.some(it => it.name === '__Host-session'))
    bodies.push(normal(response.body))
  }
  t.equal(new Set(bodies).size, 1)
})

t.test('user names are compared after NFKC and in lower case; passwords after NFC', async t => {
  const { app, stores } = await build(t)
  await stores.users.add({ id: 'j', username: 'José', passwordHash: await hashPassword('pâté du chef'), demo: false })
  for (const username of ['José', 'josé', 'JOSE\u0301']) {
    const response = await new Browser(app).allow(query(), { username, password: 'pa\u0302te\u0301 du chef' })
    t.equal(response.statusCode, 303, username)
  }
})

t.test('five failures on an account slow that source alone; another source signs in', async t => {
  const { app } = await build(t)
  const attempt = (address: string, password: string, username = 'ann') => new Browser(app, address).allow(query(), { username, password })
  for (let i = 0; i < 5; i++) t.equal((await attempt('192.0.2.1', 'wrong', i % 2 ? 'ANN' : 'ann')).statusCode, 403)
  const refused = await attempt('192.0.2.1', 'correct horse')
  t.equal(refused.statusCode, 429)
  t.ok(Number(refused.headers['retry-after']) > 800)
  t.match(refused.body, 'Too many attempts. Wait 15 min')
  t.equal((await attempt('192.0.2.2', 'correct horse')).statusCode, 303, 'nobody is locked out by a stranger')
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

t.test('300 guesses at one account from one /48, each from a /64 of its own, are stopped; others of it sign in, and ann from elsewhere', async t => {
  const { app, stores } = await build(t)
  await stores.users.add({ id: 'b', username: 'bob', passwordHash: await hashPassword('correct horse'), demo: false })
  const statuses = []
  for (let i = 0; i < 300; i++) {
    const address = `2001:db8:7:${(i * 200).toString(16)}::1`
    statuses.push((await new Browser(app, address).allow(query(), { username: 'ann', password: 'wrong' })).statusCode)
  }
  t.equal(statuses.filter(it => it === 403).length, 20)
  t.equal(statuses.filter(it => it === 429).length, 280)
  const right = async (address: string, username: string) => (await new Browser(app, address).allow(query(), { username, password: 'correct horse' })).statusCode
  t.equal(await right('2001:db8:7:ffff::1', 'bob'), 303, 'who else is there signs in')
  t.equal(await right('2001:db8:8::1', 'ann'), 303, 'and ann from another network')
  t.equal(await right('192.0.2.1', 'ann'), 303)
})

t.test('of a /56 ten guesses at one account are checked, and the sum over accounts has limits too', async t => {
  const { app } = await build(t)
  const guess = async (address: string, username: string) => (await new Browser(app, address).allow(query(), { username, password: 'wrong' })).statusCode
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

t.test('right passwords at once are all right', async t => {
  const { app } = await build(t)
  const responses = await Promise.all(Array.from({ length: 40 }, () => new Browser(app).allow()))
  t.same(responses.map(it => it.statusCode).filter(it => it !== 303), [])
})

t.test('64 from one source at once are served, more are told to come back, and other sources do not notice', async t => {
  const { app, stores } = await build(t)
  const more = 200
  const browsers = Array.from({ length: 64 + more }, () => new Browser(app))
  const forms = await Promise.all(browsers.map(browser => browser.consent()))
  // Ann is not looked up before all who are refused have been: so it is the same on any machine.
  let open = () => {}
  const opened = new Promise<void>(resolve => { open = resolve })
  const find = stores.users.find.bind(stores.users)
  stores.users.find = async username => {
    if (username === 'ann') await opened
    return await find(username)
  }
  let answered = 0
  const answers = await Promise.all(browsers.map(async (browser, i) => {
    const answer = await browser.post(`/consent?${query()}`, { transaction: forms[i]!, decision: 'allow', username: 'ann', password: 'correct horse' })
    if (++answered === more) {
      t.equal((await new Browser(app, '192.0.2.2').allow(query(), { username: 'nobody', password: 'x' })).statusCode, 403)
      open()
    }
    return answer
  }))
  const busy = answers.filter(it => it.statusCode === 503)
  t.equal(busy.length, more)
  t.same(new Set(busy.map(it => it.headers['retry-after'])), new Set(['2']))
  t.equal(answers.filter(it => it.statusCode === 303).length, 64)
  t.equal((await new Browser(app).allow()).statusCode, 303, 'and then there is room again')
})

t.test('who has gone before it is their turn is not looked at', async t => {
  const { app, stores } = await build(t)
  let open = () => {}
  const opened = new Promise<void>(resolve => { open = resolve })
  const looked: string[] = []
  const find = stores.users.find.bind(stores.users)
  stores.users.find = async username => {
    looked.push(username)
    await opened
    return await find(username)
  }
  const attempt = async (username: string) => await new Browser(app, '127.0.0.1').allow(query(), { username, password: 'x' })
  const first = ['a', 'b', 'c', 'd'].map(attempt)
  const browser = new Browser(app)
  const form = new URLSearchParams({ transaction: await browser.consent(), decision: 'allow', username: 'gone', password: 'x' })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
  const leaving = request(`${address}/consent?${query()}`, { method: 'POST', headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' } }).on('error', () => {}).end(form.toString())
  const [{ socket }] = await once(app.server, 'request')
  leaving.destroy()
  await once(socket, 'close')
  const last = attempt('last')
  open()
  t.same((await Promise.all([...first, last])).map(({ statusCode }) => statusCode), [403, 403, 403, 403, 403])
  t.same(new Set(looked), new Set(['a', 'b', 'c', 'd', 'last']))
})

t.test('two replicas on one database share the count', async t => {
  const DATABASE_URL = await temporaryDatabase(t)
  const replicas = [await build(t, { DATABASE_URL }), await build(t, { DATABASE_URL })]
  for (let i = 0; i < 5; i++) await new Browser(replicas[i % 2]!.app).allow(query(), { username: 'ann', password: 'wrong' })
  for (const { app } of replicas) t.equal((await new Browser(app).allow()).statusCode, 429)
})

t.test('an account that does not exist costs the hash of one that does', async t => {
  const parameters = (hash: string) => hash.split('$').slice(1, 4).join('$')
  t.equal(parameters(NOBODY), parameters(await hashPassword('x')), 'the same algorithm and cost')
  t.equal(parameters(NOBODY), 'argon2id$v=19$m=19456,t=2,p=1')
  t.equal(await verifyPassword(undefined, ''), false)
})

// What hashing takes is the same on each database: these run once.
if (!onPostgresql) {
  t.test('the answers to a wrong password, an unknown person and an empty password take as long', async t => {
    const { app } = await build(t)
    const attempts = { wrong: ['ann', 'wrong'], unknown: ['nobody', 'wrong'], empty: ['ann', ''] } as const
    // as: the keys of an object literal.
    const kinds = Object.keys(attempts) as Array<keyof typeof attempts>
    let address = 0

    /** Medians of 200 runs each, in nanoseconds, as ratios to a wrong password. */
    async function measure () {
      const times: Record<keyof typeof attempts, number[]> = { wrong: [], unknown: [], empty: [] }
      for (let i = 0; i < 200; i++) {
        for (const kind of kinds) {
          const browser = new Browser(app, `10.1.${address >> 8}.${address++ & 255}`)
          const transaction = await browser.consent()
          const [username, password] = attempts[kind]
          const start = process.hrtime.bigint()
          await browser.post(`/consent?${query()}`, { transaction, decision: 'allow', username, password })
          times[kind].push(Number(process.hrtime.bigint() - start))
        }
      }
      const [wrong, unknown, empty] = kinds.map(kind => times[kind].sort((a, b) => a - b)[100]!) as [number, number, number]
      return [unknown / wrong, empty / wrong]
    }

    // Other work on the machine disturbs a round; a difference that callers could use is there in every one.
    let ratios = await measure()
    for (let round = 1; round < 3 && ratios.some(ratio => Math.abs(ratio - 1) >= 0.1); round++) ratios = await measure()
    for (const ratio of ratios) t.ok(Math.abs(ratio - 1) < 0.1, String(ratio))
  })

  t.test('an honest sign-in is checked before those of 200 addresses that have failed before', async t => {
    const { app, stores } = await build(t)
    const checked: string[] = []
    const find = stores.users.find.bind(stores.users)
    const addresses = Array.from({ length: 200 }, (_, i) => `198.51.100.${i}`)
    const guess = async (address: string) => await new Browser(app, address).allow(query(), { username: `of-${address}`, password: 'wrong' })
    t.same(new Set((await Promise.all(addresses.map(guess))).map(({ statusCode }) => statusCode)), new Set([403]))
    let open = () => {}
    const opened = new Promise<void>(resolve => { open = resolve })
    let asked = 0
    stores.users.find = async username => {
      if (++asked === addresses.length + 1) open()
      await opened
      return await find(username)
    }
    const flood = addresses.map(async address => {
      const { statusCode } = await guess(address)
      checked.push(address)
      return statusCode
    })
    const honest = (async () => {
      const answer = await new Browser(app, '192.0.2.77').allow()
      checked.push('honest')
      return answer.statusCode
    })()
    t.equal(await honest, 303)
    // Those that were being checked already, and what shared a turn of the event loop with it, may be answered first.
    t.ok(checked.indexOf('honest') < 50, `${checked.indexOf('honest')} of 200 were answered before`)
    t.same(new Set(await Promise.all(flood)), new Set([403]))
  })

  t.test('more people at once than passwords can be checked: some are told to come back, and nothing counts against them', async t => {
    const { app } = await build(t)
    const count = 128 * availableParallelism() + 40
    const sources = Array.from({ length: count }, (_, i) => `198.51.${i >> 8}.${i & 255}`)
    const browsers = sources.map(source => new Browser(app, source))
    const forms = await Promise.all(browsers.map(browser => browser.consent()))
    const answers = await Promise.all(browsers.map((browser, i) => browser.post(`/consent?${query()}`, { transaction: forms[i]!, decision: 'allow', username: 'ann', password: 'wrong' })))
    const busy = answers.filter(it => it.statusCode === 503)
    t.equal(busy.length, 40)
    t.equal(answers.filter(it => it.statusCode === 403).length, count - 40)
    for (const answer of busy) {
      t.equal(answer.headers['retry-after'], '2')
      t.match(answer.body, 'Too many people are signing in. Try again in a few seconds.')
    }
    t.equal((await new Browser(app).allow()).statusCode, 303, 'and then they are all served')
  })
}
