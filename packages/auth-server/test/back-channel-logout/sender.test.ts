import t, { type Test } from 'tap'
import { connectTo } from '../support/database.js'
import { build } from '../support/helper.js'
import { receive, send } from '../support/back-channel-logout/receiver.js'
import { register, startSession } from '../support/back-channel-logout/sessions.js'

/** Ann's sessions at apps, all of which end. */
async function endSessions (t: Test, apps: ReadonlyArray<[id: string, uri: string]>, sessions: number, env: Record<string, string> = {}) {
  const built = await build(t, { ALLOW_PRIVATE_NETWORKS: 'true', ...env })
  for (const [id, uri] of apps) await register(built.stores, id, uri)
  for (let i = 0; i < sessions; i++) await startSession(built.stores, apps.map(([id]) => id))
  await built.stores.users.endAccess((await built.stores.users.find('ann'))!.id)
  return built
}

t.test('a logout token that fails is sent again after 10 s, 1 min, 5 min and 20 min, with jitter, and then dropped', async t => {
  const receiver = await receive(t, response => { response.writeHead(302, { location: '/elsewhere' }).end() })
  const { app, databaseUrl, logs } = await endSessions(t, [['one', receiver.uri]], 1)
  const connection = await connectTo(databaseUrl)
  t.teardown(() => connection.close())
  for (const [attempt, delay] of [10, 60, 300, 1_200].entries()) {
    t.same(await send(app, 1), ['failed'])
    t.equal(receiver.tokens.length, attempt + 1, 'a redirect is not followed')
    const [row] = await connection.query('SELECT due_at FROM client_session')
    const seconds = (Date.parse(String(row!.due_at)) - Date.now()) / 1_000
    t.ok(seconds > delay * 0.8 - 5 && seconds < delay * 1.2, `${seconds} s`)
    await send(app, 0)
    await connection.query("UPDATE client_session SET due_at = '2000-01-01T00:00:00.000+00:00'")
  }
  t.same(await send(app, 1), ['dropped'])
  t.same(await connection.query('SELECT * FROM client_session'), [])
  t.equal(new Set(receiver.tokens).size, 5, 'each with a jti of its own')
  const line = JSON.parse(logs.find(line => line.includes('is dropped'))!)
  t.match(line, { client: 'one', attempts: 5, reason: 'the app answered with status 302', msg: 'a logout token is dropped' })
})

t.test('an app that never answers does not delay others, and gets at most four requests at once', async t => {
  const silent = await receive(t, () => {})
  const others = await receive(t)
  const { app } = await endSessions(t, [['silent', silent.uri], ['one', others.uri], ['two', others.uri]], 12)
  t.same(new Set(await send(app, 24)), new Set(['delivered']))
  t.equal(others.tokens.length, 24)
  t.ok(silent.tokens.length <= 4, `${silent.tokens.length} requests`)
})

t.test('an app in a private network gets none unless that is allowed; the log says why', async t => {
  const receiver = await receive(t)
  const { app, logs } = await endSessions(t, [['http', receiver.uri], ['https', receiver.uri.replace('http:', 'https:')]], 1, { ALLOW_PRIVATE_NETWORKS: '' })
  t.same(await send(app, 2), ['failed', 'failed'])
  t.same(receiver.tokens, [])
  t.match(logs.join(''), 'private networks are not allowed here')
})

t.test('a server that stops puts back what it could not send', async t => {
  const silent = await receive(t, () => {})
  const { app, databaseUrl } = await endSessions(t, [['silent', silent.uri]], 1)
  await app.logoutSender.run()
  await app.close()
  const connection = await connectTo(databaseUrl)
  const [row] = await connection.query('SELECT due_at, attempts FROM client_session')
  await connection.close()
  t.equal(row!.attempts, 1)
  t.ok(Date.parse(String(row!.due_at)) <= Date.now())
})
