import t from 'tap'
import { temporaryDatabase } from './database.js'
import { query } from './helper.js'
import { start } from './server-process.js'

t.test('four replicas started together on an empty database migrate it once and make one key', async t => {
  const DATABASE_URL = await temporaryDatabase(t)
  const replicas = await Promise.all(Array.from({ length: 4 }, () => start(t, { DATABASE_URL, DEMO_CALLBACK: 'http://localhost:3002/callback' })))
  for (const { port, output } of replicas) t.ok(port, output())
  const sets = await Promise.all(replicas.map(async ({ address }) => await (await fetch(`${address}/.well-known/jwks.json`)).text()))
  t.equal(new Set(sets).size, 1)
  for (const { address } of replicas) t.equal((await fetch(`${address}/consent?${query({ client_id: 'demo-app', redirect_uri: undefined })}`)).status, 200)
})
