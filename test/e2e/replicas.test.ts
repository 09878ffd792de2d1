import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { replica, startFleet } from '../replicas/fleet.js'
import { Load } from '../replicas/load.js'
import { endStack, startPostgres } from '../stack.js'

/** How long each state is watched, in milliseconds. */
const WHILE = 3_000

const postgres = await startPostgres()
t.teardown(() => postgres.stop())
const fleet = await startFleet(t, postgres.url, { LOG_LEVEL: 'info' })
const load = new Load(fleet)
await load.start({ people: 2, writers: 4 })
await setTimeout(WHILE)

await t.test('one replica of each service is stopped and started again under load: nobody notices', async t => {
  for (const service of ['auth-server', 'customer-service'] as const) {
    t.equal(await fleet.end(replica(service, 1), 'SIGTERM'), 0, `${service} ends cleanly`)
    await setTimeout(WHILE)
    await fleet.start(replica(service, 1))
  }
  t.same(load.complaints, [])
})

await t.test('nothing that was acknowledged is lost, and every token is still good', async t => {
  await load.stop()
  const { certain, acknowledged } = load.ledger
  t.ok(acknowledged > 100, `${acknowledged} writes were acknowledged in ${load.answers.length} requests`)
  const wrong = []
  for (const [id, is] of certain) {
    const { status, text } = await load.ask('GET', `/rest/qa/customer/${id}`)
    const found = status === 404 ? null : (JSON.parse(text) as { customeraddress: string }).customeraddress
    if (found !== is) wrong.push({ id, is, found })
  }
  t.same(wrong, [])
  const refused = await Promise.all(load.tokens.map(async token => (await load.ask('GET', '/rest/qa/customer/1', { token })).status))
  t.same(refused.filter(status => status === 401), [])
})

await endStack(t, fleet)
