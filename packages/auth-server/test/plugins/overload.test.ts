import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { Batcher, queueAge } from '@frontdesk/database/batch'
import { build, query } from '../support/helper.js'

/** Asks until the answer has that status, or for ten seconds. */
async function until (statusCode: number, ask: () => Promise<{ statusCode: number }>) {
  const end = Date.now() + 10_000
  while (Date.now() < end && (await ask()).statusCode !== statusCode) await setTimeout(20)
}

t.test(
  'while the event loop is late, new work gets 503 with Retry-After at once; health, the key set and what is revoked are served',
  async t => {
    const { app, logs } = await build(t)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const page = async () => await app.inject({ url: `/consent?${query()}`, headers: { accept: 'text/html' } })
    t.equal((await page()).statusCode, 200)
    const busy = setInterval(() => {
      for (const end = Date.now() + 600; Date.now() < end;);
    }, 1)
    await until(503, page)
    const shed = await page()
    t.match(shed, { statusCode: 503, headers: { 'retry-after': '2', 'cache-control': 'no-store', 'content-type': /^text\/html/ } })
    t.match(shed.body, 'This server is receiving too many requests right now.')
    t.match(shed.body, `<code>${shed.headers['x-request-id']}</code>`, 'the page is rendered once, the reference is that of the request')
    const problem = await app.inject({ url: '/account', headers: { accept: 'application/json' } })
    t.match(problem, { statusCode: 503, headers: { 'retry-after': '2', 'content-type': /^application\/problem\+json/ } })
    const token = await app.inject({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'grant_type=x'
    })
    t.match(token, { statusCode: 503, headers: { 'retry-after': '2', 'cache-control': 'no-store' } })
    t.equal(token.json().error, 'temporarily_unavailable')
    for (const url of ['/health/live', '/health/ready', '/.well-known/jwks.json', '/revocations']) {
      t.equal((await app.inject(url)).statusCode, 200, url)
    }
    clearInterval(busy)
    const told = () => logs.some(line => /"requests":\d+,"msg":"too many requests arrive; some were refused"/.test(line))
    for (const end = Date.now() + 10_000; Date.now() < end && !told();) await setTimeout(20)
    t.ok(told(), 'the log says how many were refused')
    t.equal(logs.filter(line => line.includes('"status":503')).length, 0, 'without a line for each')
    await until(200, page)
    t.equal((await page()).statusCode, 200, 'and then it is served again')
  }
)

t.test('what delays the start is no load', async t => {
  const { app } = await build(t)
  for (const end = Date.now() + 1_500; Date.now() < end;);
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (let i = 0; i < 5; i++) {
    t.equal((await app.inject(`/consent?${query()}`)).statusCode, 200)
    await setTimeout(100)
  }
})

t.test('while questions wait long for the database, new work gets 503; those that wait for one another do not count', async t => {
  const { app } = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const page = async () => await app.inject(`/consent?${query()}`)
  let open = () => {}
  const opened = new Promise<void>(resolve => { open = resolve })
  const slow = new Batcher<string, string>(async questions => {
    await opened
    return questions
  }, { concurrency: 1, keyOf: question => question })
  const first = slow.run('a')
  await setTimeout(10)
  const second = slow.run('b')
  await until(503, page)
  t.ok(queueAge() >= 400, `${queueAge()} ms`)
  t.equal((await page()).statusCode, 503)
  // The second may have waited for too long: then it is refused.
  const answers = Promise.allSettled([first, second])
  open()
  t.match(await answers, [{ value: 'a' }, {}])
  await until(200, page)
  t.equal((await page()).statusCode, 200)

  let release = () => {}
  const released = new Promise<void>(resolve => { release = resolve })
  let calls = 0
  const held = new Batcher<string, string>(async questions => {
    if (calls++ === 0) await released
    return questions
  }, { concurrency: 1, keyOf: () => 'one key' })
  const both = Promise.all([held.run('a'), held.run('b')])
  await setTimeout(700)
  t.equal(queueAge(), 0)
  release()
  t.same(await both, ['a', 'b'])
})
