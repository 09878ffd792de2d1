import t from 'tap'
import { dummyHash, hashPassword, verifyPassword } from '../../src/sign-in/password.js'
import { Browser, build, query, standardCost, withoutValues } from '../support/helper.js'

t.test('every wrong attempt gets the same answer: unknown, wrong, empty, too long, disabled', async t => {
  const { app, stores } = await build(t)
  await stores.users.add({ id: 'x', username: 'gone', passwordHash: await hashPassword('correct horse'), demo: false })
  await stores.users.setDisabled('gone', new Date())
  const bodies = []
  for (const [i, [username, password]] of [
    ['ann', 'wrong'],
    ['ann', ''],
    ['nobody', 'wrong'],
    ['', ''],
    ['gone', 'correct horse'],
    ['ann', 'x'.repeat(1025)],
    ['nobody', 'x'.repeat(1025)]
  ].entries()) {
    const response = await new Browser(app, `192.0.2.${i}`).allow(query(), { username: username!, password: password! })
    t.equal(response.statusCode, 403)
    t.match(response.body, 'role="alert"')
    t.notOk(response.cookies.some(it => it.name === '__Host-session'))
    bodies.push(withoutValues(response))
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

t.test('an account that does not exist costs the hash of one that does', async t => {
  standardCost(t)
  const parameters = (hash: string) => hash.split('$').slice(1, 4).join('$')
  t.equal(parameters(dummyHash()), parameters(await hashPassword('x')), 'the same algorithm and cost')
  t.equal(parameters(dummyHash()), 'argon2id$v=19$m=19456,t=2,p=1')
  t.equal(await verifyPassword(undefined, ''), false)
})

t.test('the answers to a wrong password, an unknown person, an empty password, an address and an unknown address take as long', async t => {
  standardCost(t)
  const { app, stores } = await build(t)
  await stores.users.setPassword('ann', await hashPassword('correct horse'))
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const attempts = {
    wrong: ['ann', 'wrong'],
    unknown: ['nobody', 'wrong'],
    empty: ['ann', ''],
    address: ['ann@example.com', 'wrong'],
    unknownAddress: ['nobody@example.com', 'wrong']
  } as const
  // as: the keys of an object literal.
  const kinds = Object.keys(attempts) as Array<keyof typeof attempts>
  let address = 0

  /** Medians of 60 runs each, in processor time (other work on the machine adds little to it), as ratios to a wrong password. */
  async function measure () {
    const times = new Map(kinds.map(kind => [kind, [] as number[]]))
    for (let i = 0; i < 60; i++) {
      // Each kind comes at each place as often: what came before does not favour one.
      const first = i % kinds.length
      for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
        const browser = new Browser(app, `10.1.${address >> 8}.${address++ & 255}`)
        const transaction = await browser.consent()
        const [username, password] = attempts[kind]
        const start = process.cpuUsage()
        await browser.post(`/consent?${query()}`, { transaction, decision: 'allow', username, password })
        const { user, system } = process.cpuUsage(start)
        times.get(kind)!.push(user + system)
      }
    }
    const [wrong, ...others] = [...times.values()].map(it => it.sort((a, b) => a - b)[30]!)
    return others.map(median => median / wrong!)
  }

  // Other work on the machine disturbs a round; a difference that callers could use is there in every one.
  let ratios = await measure()
  for (let round = 1; round < 10 && ratios.some(ratio => Math.abs(ratio - 1) >= 0.1); round++) ratios = await measure()
  for (const ratio of ratios) t.ok(Math.abs(ratio - 1) < 0.1, String(ratio))
})
