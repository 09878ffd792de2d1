import t from 'tap'
import { callOf, MCP_HEADERS } from '../support/assistant.js'
import { build } from '../support/helper.js'
import { start } from '../support/process/server-process.js'

export const onBothDatabases = true

const ROUNDS = 5
const CUSTOMERS = 60

t.test('kill -9 during the calls of an assistant: repeated with their idempotency keys, each customer is added once', async t => {
  const { config: { databaseUrl }, db } = await build(t)
  let interrupted = 0
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: CUSTOMERS }, (_, index) => round * CUSTOMERS + index)
    const env = { DATABASE_URL: databaseUrl, MCP: 'on' }
    const first = await start(t, env)
    let calls = 0
    const killAt = 10 + Math.floor(Math.random() * (CUSTOMERS - 20))
    const before = await Promise.all(ids.map(async id => {
      const etag = await register(first.url, id)
      if (++calls === killAt) first.child.kill('SIGKILL')
      return etag
    }))
    await first.exit
    interrupted += before.filter(etag => etag === undefined).length

    const second = await start(t, env)
    for (const [index, id] of ids.entries()) {
      const etag = await register(second.url, id)
      t.ok(etag !== undefined && (before[index] ?? etag) === etag, `customer ${id} has the etag that was acknowledged`)
    }
    second.child.kill('SIGKILL')
    await second.exit
  }
  t.equal(await db.customer.count(), ROUNDS * CUSTOMERS)
  t.equal(await db.customerChange.count(), ROUNDS * CUSTOMERS)
  t.ok(interrupted > 0, `${interrupted} calls were interrupted`)
})

/** The etag of a customer that was added; `undefined` without an answer. */
async function register (url: string, id: number): Promise<string | undefined> {
  const args = { customerid: id, customername: 'ann', customerage: 30, customeraddress: 'Galle', idempotencyKey: `key-${id}` }
  const init = { method: 'POST', headers: MCP_HEADERS, body: JSON.stringify(callOf('register_customer', args)) }
  const answer = await fetch(`${url}/mcp`, init).catch(() => null)
  // as: a result, if the service answered.
  const message = await answer?.json().catch(() => null) as { result?: { structuredContent?: { etag: string } } } | null | undefined
  return message?.result?.structuredContent?.etag
}
