import { onPostgresql } from '@frontdesk/test-kit/database'
import t from 'tap'
import { PATH, build } from '../../support/helper.js'

export const onBothDatabases = true

const LIMIT = 5

t.test('of concurrent requests exactly as many as the limit pass, among all replicas, and the others get 429', async t => {
  const first = await build(t, { RATE_LIMIT: `${LIMIT}/9999s` })
  // SQLite has one process for a file.
  const replicas = onPostgresql ? [first, await build(t, { RATE_LIMIT: `${LIMIT}/9999s`, DATABASE_URL: first.config.databaseUrl })] : [first]
  const answers = await Promise.all(Array.from({ length: 20 }, async (_, lane) => await replicas[lane % replicas.length]!.send('GET', PATH)))
  const passed = answers.filter(({ statusCode }) => statusCode === 200)
  t.equal(passed.length, LIMIT)
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200, 429]))
  t.same(new Set(answers.map(({ headers }) => headers['ratelimit-policy'])), new Set([`"default";q=${LIMIT};w=9999`]))
  t.same(passed.map(({ headers }) => /^"default";r=(\d);t=\d+$/.exec(String(headers.ratelimit))![1]).sort(), ['0', '1', '2', '3', '4'])
  for (const { send } of replicas) {
    const { headers, body } = await send('POST', PATH, { form: 'nonsense' })
    const { type, detail } = JSON.parse(body)
    t.match(type, '/problems/rate-limit-exceeded', 'before the body is checked')
    t.match(headers.ratelimit, `"default";r=0;t=${headers['retry-after']}`)
    t.match(detail, `Try again in ${headers['retry-after']} seconds.`)
    t.ok(Number(headers['retry-after']) > 0)
  }
})

t.test('each person has a limit of their own with each app', async t => {
  const { send, issuer, everything } = await build(t, { RATE_LIMIT: '1/9999s' })
  const status = async (token: string) => (await send('GET', PATH, { token })).statusCode
  t.same([await status(everything), await status(everything)], [200, 429])
  const others: Array<Record<string, string>> = [{ sub: 'person-2' }, { client_id: 'other-app' }]
  for (const claims of others) t.equal(await status(await issuer.mint({ claims })), 200)
  t.equal(await status(await issuer.mint()), 429, 'a new token is no new person')
})

t.test('with all apps, a person has twice the limit of one app; what one app is refused takes nothing from the others', async t => {
  const { send, issuer } = await build(t, { RATE_LIMIT: '2/9999s' })
  const statuses = []
  for (const [app, person] of [['a', 'p'], ['a', 'p'], ['a', 'p'], ['a', 'p'], ['b', 'p'], ['c', 'p'], ['d', 'p'], ['b', 'p'], ['d', 'q']]) {
    const answer = await send('GET', PATH, { token: await issuer.mint({ claims: { client_id: app, sub: person } }) })
    statuses.push(answer.statusCode)
    if (answer.statusCode === 429) t.match(answer.headers, { ratelimit: /r=0/, 'retry-after': /^\d+$/ })
  }
  t.same(statuses, [200, 200, 429, 429, 200, 200, 429, 429, 200])
})

t.test('what is refused before, and what needs no token, does not count', async t => {
  const { send, issuer } = await build(t, { RATE_LIMIT: '1/9999s' })
  const narrow = await issuer.mint({ claims: { scope: 'customer:read' } })
  const table: Array<[status: number, ...request: Parameters<typeof send>]> = [
    [401, 'GET', PATH, { token: null }],
    [403, 'DELETE', `${PATH}/1`, { token: narrow }],
    [405, 'DELETE', PATH],
    [204, 'OPTIONS', PATH],
    [200, 'GET', '/openapi.json', { token: null }],
    [404, 'GET', '/nowhere']
  ]
  for (const [status, ...request] of table) {
    const { statusCode, headers } = await send(...request)
    t.equal(statusCode, status, request.slice(0, 2).join(' '))
    t.notHas(headers, { ratelimit: String })
  }
  t.equal((await send('GET', `${PATH}/0`)).statusCode, 404)
  t.equal((await send('GET', `${PATH}/0`)).statusCode, 429)
})

t.test('without tokens, each address has a limit; without the setting, there is none', async t => {
  const open = await build(t, { AUTH: 'none', RATE_LIMIT: '1/9999s' })
  const status = async (remoteAddress: string) => (await open.http.inject({ url: PATH, remoteAddress })).statusCode
  t.same([await status('192.0.2.1'), await status('192.0.2.1'), await status('192.0.2.2')], [200, 429, 200])

  const unlimited = await build(t)
  t.equal(unlimited.rateLimiter, null)
  t.notHas((await unlimited.send('GET', PATH)).headers, { ratelimit: String, 'ratelimit-policy': String })
})

// SQLite counts in memory.
if (onPostgresql) {
  t.test('requests that cannot be counted pass; expired counters are removed', async t => {
    const { send, issuer, db, removeExpired } = await build(t, { RATE_LIMIT: '1/9999s' })
    await send('GET', PATH)
    await send('GET', PATH, { token: await issuer.mint({ claims: { sub: 'person-2' } }) })
    await db.$executeRawUnsafe("UPDATE throttle SET expire = '2020-01-01' WHERE key = (SELECT MIN(key) FROM throttle)")
    await removeExpired('counter', new Date())
    t.equal(await db.throttle.count(), 3, 'two for each person')
    await db.$executeRawUnsafe('ALTER TABLE throttle RENAME TO gone')
    const { statusCode, headers } = await send('GET', PATH, { token: await issuer.mint({ claims: { sub: 'person-3' } }) })
    t.equal(statusCode, 200)
    t.notHas(headers, { ratelimit: String })
  })
}
