import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { codeClient, exchangeForm, form, getCode, post } from '../support/code-flow.js'
import { connectTo, onPostgresql, standardWaits, temporaryDatabase } from '../support/database.js'
import { askForCodes, decide, deviceClient, poll } from '../support/device-flow.js'
import { Browser, build } from '../support/helper.js'

export const onBothDatabases = true

/** Where the next connection that says COMMIT is lost: before the server hears it, or before we hear that it is done. */
type Loss = 'no' | 'statement' | 'before' | 'after'

/** A way to PostgreSQL that loses connections. */
async function lossyWay (t: Test) {
  const url = new URL(await temporaryDatabase(t))
  const way = { loss: 'no' as Loss, url: new URL(url), losses: 0 }
  const sockets = new Set<Socket>()
  const [insertions, audits] = [new Set<string>(), new Set<string>()]
  const proxy = createServer(client => {
    const server = connect(Number(url.port), url.hostname)
    let [lost, ends, isAudit] = [false, false, false]
    const lose = (isHeard: boolean) => {
      if (!isHeard) server.destroy()
      lost = true
      way.loss = 'no'
      way.losses++
      client.destroy()
    }
    client.on('data', data => {
      const text = data.toString('latin1')
      // A statement is sent once, and then its name.
      for (const [, name, table] of text.matchAll(/(frontdesk_[\w-]+)\0\s*INSERT INTO (refresh_token|audit) /g)) {
        (table === 'audit' ? audits : insertions).add(`${name}`)
      }
      if (way.loss === 'statement' && [...insertions].some(name => text.includes(name))) return lose(false)
      // The audit trail commits whenever it is due.
      isAudit ||= [...audits].some(name => text.includes(name))
      const commits = text.includes('COMMIT') && !isAudit
      if (text.includes('COMMIT')) isAudit = false
      if (commits && way.loss === 'before') return lose(false)
      if (commits && way.loss === 'after') ends = true
      server.write(data)
    })
    server.on('data', data => {
      if (ends) return lose(true)
      if (!lost) client.write(data)
    })
    for (const [socket, other] of [[client, server], [server, client]] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => { if (!lost) other.destroy() })
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  // as: it listens on a port.
  way.url.port = String((proxy.address() as AddressInfo).port)
  way.url.hostname = '127.0.0.1'
  return way
}

async function prepare (t: Test) {
  const way = await lossyWay(t)
  const built = await build(t, { DATABASE_URL: way.url.href })
  // What is lost is not sent again for a minute.
  standardWaits(t)
  await built.stores.clients.put(codeClient())
  return { way, ...built }
}

if (onPostgresql) {
  t.test('a code whose exchange fails is unspent: the same request succeeds', async t => {
    const { app, way } = await prepare(t)
    const code = await getCode(app)
    way.loss = 'statement'
    t.equal((await post(app, '/token', exchangeForm(code))).statusCode, 503)
    t.equal(way.losses, 1)
    t.equal((await post(app, '/token', exchangeForm(code))).statusCode, 200)
  })

  t.test('a code that is replayed while the connection is lost is still known as spent: the next replay is theft', async t => {
    const { app, way, logs } = await prepare(t)
    const code = await getCode(app)
    t.equal((await post(app, '/token', exchangeForm(code))).statusCode, 200)
    way.loss = 'after'
    t.equal((await post(app, '/token', exchangeForm(code))).statusCode, 503)
    t.equal(way.losses, 1)
    t.equal((await post(app, '/token', exchangeForm(code))).json().error, 'invalid_grant')
    t.ok(logs.some(line => line.includes('used a second time')))
  })

  t.test('a device whose exchange fails asks again; if COMMIT was lost it starts again, and is no theft', async t => {
    const { app, way, stores, logs } = await prepare(t)
    await stores.clients.put(deviceClient())
    for (const loss of ['statement', 'before', 'after'] as const) {
      const { device_code: code, user_code: userCode } = await askForCodes(app)
      await decide(new Browser(app), userCode, 'allow')
      way.loss = loss
      t.equal((await poll(app, code)).statusCode, 503, loss)
      const again = await poll(app, code)
      t.equal(again.json().error, loss === 'statement' ? undefined : 'invalid_grant', loss)
    }
    t.notOk(logs.some(line => line.includes('used a second time')))
  })

  for (const loss of ['before', 'after'] as const) {
    t.test(`a connection that is lost ${loss} COMMIT is heard: a retry of the exchange starts again, and is no theft`, async t => {
      const { app, way, logs, databaseUrl } = await prepare(t)
      const code = await getCode(app)
      way.loss = loss
      const began = Date.now()
      const failed = await post(app, '/token', exchangeForm(code))
      t.equal(failed.statusCode, 503)
      t.ok(failed.headers['retry-after'])
      t.ok(Date.now() - began < 2_500)
      t.equal(way.losses, 1)
      t.equal((await post(app, '/token', exchangeForm(code))).json().error, 'invalid_grant')
      t.notOk(logs.some(line => line.includes('used a second time')))
      const database = await connectTo(databaseUrl)
      const [{ count }] = (await database.query(
        'SELECT (SELECT count(*) FROM refresh_token) + (SELECT count(*) FROM revocation) AS count'
      )) as [{ count: string }]
      await database.close()
      t.equal(Number(count), 0, 'nothing is left')
    })

    t.test(`a connection that is lost ${loss} COMMIT is heard: a retry of a refresh works`, async t => {
      const { app, way } = await prepare(t)
      const { refresh_token: first } = (await post(app, '/token', exchangeForm(await getCode(app)))).json()
      const refresh = async (token: string) =>
        await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token }))
      way.loss = loss
      t.equal((await refresh(first)).statusCode, 503)
      t.equal(way.losses, 1)
      const { refresh_token: next } = (await refresh(first)).json()
      t.equal((await refresh(next)).statusCode, 200)
    })
  }
} else {
  t.test('a code whose exchange fails is unspent: the same request succeeds', async t => {
    const { app, stores, databaseUrl } = await build(t)
    await stores.clients.put(codeClient())
    const code = await getCode(app)
    const database = await connectTo(databaseUrl)
    await database.query("CREATE TRIGGER broken BEFORE INSERT ON refresh_token BEGIN SELECT RAISE(ABORT, 'full'); END")
    t.equal((await post(app, '/token', exchangeForm(code))).statusCode, 500)
    await database.query('DROP TRIGGER broken')
    await database.close()
    t.equal((await post(app, '/token', exchangeForm(code))).statusCode, 200)
  })
}
