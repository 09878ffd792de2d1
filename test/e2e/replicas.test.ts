import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { replica, startFleet } from '../support/replicas/fleet.js'
import { Ledger } from '../support/replicas/ledger.js'
import { Load } from '../support/replicas/load.js'
import { endStack, Postgres } from '../support/stack.js'

/** How long each state is watched, in milliseconds. */
const WHILE = 3_000

/** How long each person and writer rests after a piece of work, in milliseconds. */
const PAUSE = 250

/** How long the first tokens of a new key may take, in milliseconds, on a busy machine. */
const NEW_KEY = 60_000

/** How long 503 may go on after the database is back, in milliseconds. */
const RECOVERY = 5_000

const postgres = await Postgres.create()
t.teardown(() => postgres.remove())
await postgres.start()
const fleet = await startFleet(t, postgres.url, { LOG_LEVEL: 'info' })
// It runs for more than a minute, in parallel with other tests.
const load = new Load(fleet, new Ledger(), PAUSE)
await load.start({ people: 2, writers: 4 })
await setTimeout(WHILE)

const first = load.tokens.length
await fleet.register(['keys', 'rotate', '--signs-in', '45'])
const signsFrom = Date.now() + 45_000

await t.test('one replica of each service is stopped and started again under load: no request fails', async t => {
  for (const service of ['auth-server', 'customer-service'] as const) {
    t.equal(await fleet.end(replica(service, 1), 'SIGTERM'), 0, `${service} ends cleanly`)
    await setTimeout(WHILE)
    await fleet.start(replica(service, 1))
  }
  t.same(load.complaints, [])
})

await t.test('PostgreSQL restarts under load: 503 until it answers again, and nothing else', async t => {
  const from = Date.now()
  await postgres.stop()
  await setTimeout(WHILE)
  await postgres.start()
  const back = Date.now()
  await setTimeout(RECOVERY + WHILE)
  t.ok(load.answers.some(({ status, at }) => status === 503 && at >= from), 'it was felt')
  t.same(load.complaints.filter(({ status }) => status !== 503), [])
  const late = load.complaints.filter(({ at }) => at < from || at > back + RECOVERY)
  t.same(late, [])
})

await t.test('the keys rotate under load: every token is accepted by every replica', async t => {
  const complaints = load.complaints.length
  // Most of the wait: nothing happens then.
  load.pause = 2_000
  await setTimeout(signsFrom - 2 * WHILE - Date.now())
  load.pause = PAUSE
  await setTimeout(signsFrom - Date.now())
  let kids: string[]
  let changed: number
  do {
    await setTimeout(WHILE)
    kids = load.tokens.map(kidOf)
    changed = kids.findIndex(kid => kid !== kids[0])
  } while ((changed < 0 || kids.length <= changed + 10) && Date.now() < signsFrom + NEW_KEY)
  t.ok(changed > first, 'the first key signed on at first')
  t.same(new Set(kids.slice(0, changed)), new Set([kids[0]]))
  t.ok(kids.length > changed + 10, 'then the new one')
  t.equal(new Set(kids).size, 2)
  t.same(load.complaints.slice(complaints), [])
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

/** The id of the key that signed a token. */
function kidOf (token: string): string {
  // as: every token of auth-server names it.
  return (JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as { kid: string }).kid
}
