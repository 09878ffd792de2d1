import { once } from 'node:events'
import { request } from 'node:http'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import pLimit from 'p-limit'
import t from 'tap'
import { hashPassword } from '../../src/sign-in/password.js'
import { onPostgresql } from '../support/database.js'
import { Browser, build, query, standardCost } from '../support/helper.js'

export const onBothDatabases = true

// Injected requests alone do not keep a process, where a server that listens would.
const alive = setInterval(() => {}, 1_000)
t.teardown(() => clearInterval(alive))

t.test('right passwords at once are all right', async t => {
  const { app } = await build(t)
  const responses = await Promise.all(Array.from({ length: 40 }, () => new Browser(app).allow()))
  t.same(responses.map(it => it.statusCode).filter(it => it !== 303), [])
})

t.test('64 concurrent attempts from one source are served, more are refused, and other sources are not affected', async t => {
  const { app, stores } = await build(t)
  const more = 200
  const browsers = Array.from({ length: 64 + more }, () => new Browser(app))
  const forms = await Promise.all(browsers.map(browser => browser.consent()))
  // Ann is not looked up before all who are refused have been: so it is the same on any machine.
  let open = () => {}
  const opened = new Promise<void>(resolve => { open = resolve })
  const find = stores.users.findForSignIn.bind(stores.users)
  let held = 0
  let hold = () => {}
  const firstHeld = new Promise<void>(resolve => { hold = resolve })
  stores.users.findForSignIn = async username => {
    if (username === 'ann') {
      if (++held === 4) hold()
      await opened
    }
    return await find(username)
  }
  let answered = 0
  const answers = await Promise.all(browsers.map(async (browser, i) => {
    // The first four are counted by themselves: among all the others that could take too long on a slow machine.
    if (i >= 4) await firstHeld
    const answer = await browser.post(`/consent?${query()}`, {
      transaction: forms[i]!,
      decision: 'allow',
      username: 'ann',
      password: 'correct horse'
    })
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
  const find = stores.users.findForSignIn.bind(stores.users)
  stores.users.findForSignIn = async username => {
    looked.push(String(username))
    await opened
    return await find(username)
  }
  const attempt = async (username: string) => await new Browser(app, '127.0.0.1').allow(query(), { username, password: 'x' })
  const first = ['a', 'b', 'c', 'd'].map(attempt)
  // They are all of this source that are looked at at once.
  while (looked.length < first.length) await setTimeout(10)
  const browser = new Browser(app)
  const form = new URLSearchParams({ transaction: await browser.consent(), decision: 'allow', username: 'gone', password: 'x' })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
  const leaving = request(`${address}/consent?${query()}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  })
    .on('error', () => {})
    .end(form.toString())
  const [{ socket }] = await once(app.server, 'request')
  leaving.destroy()
  await once(socket, 'close')
  const last = attempt('last')
  open()
  t.same((await Promise.all([...first, last])).map(({ statusCode }) => statusCode), [403, 403, 403, 403, 403])
  t.same(new Set(looked), new Set(['a', 'b', 'c', 'd', 'last']))
})

// What hashing takes is the same on each database: these run once.
if (!onPostgresql) {
  t.test('an honest sign-in is checked before those of 200 addresses that have failed before', async t => {
    const { app, stores } = await build(t)
    const checked: string[] = []
    const find = stores.users.findForSignIn.bind(stores.users)
    const addresses = Array.from({ length: 200 }, (_, i) => `198.51.100.${i}`)
    const guess = async (address: string) =>
      await new Browser(app, address).allow(query(), { username: `of-${address}`, password: 'wrong' })
    const few = pLimit(16)
    const failed = await Promise.all(addresses.map(async address => await few(guess, address)))
    t.same(new Set(failed.map(({ statusCode }) => statusCode)), new Set([403]))
    let open = () => {}
    const opened = new Promise<void>(resolve => { open = resolve })
    let asked = 0
    stores.users.findForSignIn = async username => {
      const user = await find(username)
      if (++asked === addresses.length + 1) open()
      await opened
      return user
    }
    const flood = await inWaves(addresses, () => asked, async address => {
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
    // In the order of arrival it would be the last. Others that were being checked already are answered before, and on a busy machine
    // also those that were checked while its session was stored.
    t.ok(checked.indexOf('honest') < 150, `${checked.indexOf('honest')} of 200 were answered before`)
    t.same(new Set(await Promise.all(flood)), new Set([403]))
  })

  t.test('more concurrent sign-ins than passwords can be checked: some are refused, and do not count as failed', async t => {
    standardCost(t)
    const { app, stores } = await build(t)
    await stores.users.setPassword('ann', await hashPassword('correct horse'))
    const more = 100
    const count = 128 * availableParallelism() + more
    // The passwords come within a moment, on a slow machine too: few are checked before the last one is there.
    let open = () => {}
    const opened = new Promise<void>(resolve => { open = resolve })
    let asked = 0
    const find = stores.users.findForSignIn.bind(stores.users)
    stores.users.findForSignIn = async (...typed) => {
      const user = await find(...typed)
      if (++asked === count) open()
      await opened
      return user
    }
    const sources = Array.from({ length: count }, (_, i) => `198.51.${i >> 8}.${i & 255}`)
    const browsers = sources.map(source => new Browser(app, source))
    const forms = await Promise.all(browsers.map(browser => browser.consent()))
    const answers = await Promise.all(await inWaves(browsers, () => asked, async (browser, i) =>
      await browser.post(`/consent?${query()}`, { transaction: forms[i]!, decision: 'allow', username: 'ann', password: 'wrong' })
    ))
    const busy = answers.filter(it => it.statusCode === 503)
    t.ok(busy.length > more / 2 && busy.length <= more, `${busy.length} are refused`)
    t.equal(answers.filter(it => it.statusCode === 403).length, count - busy.length)
    for (const answer of busy) {
      t.equal(answer.headers['retry-after'], '2')
      t.match(answer.body, 'Too many people are signing in. Try again in a few seconds.')
    }
    t.equal((await new Browser(app).allow()).statusCode, 303, 'and then they are all served')
  })
}

/** Starts calls as those before have `arrived`, a few at a time: more would wait too long for the database of a slow machine. */
async function inWaves<T, R> (items: T[], arrived: () => number, start: (item: T, index: number) => Promise<R>) {
  const started: Array<Promise<R>> = []
  for (const [index, item] of items.entries()) {
    started.push(start(item, index))
    while (started.length - arrived() >= 16) await setTimeout(1)
  }
  return started
}
