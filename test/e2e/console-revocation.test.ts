import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { addPerson, authorizationUrl, erika, Person } from '../support/person.js'
import { startFleet } from '../support/replicas/fleet.js'
import { endStack, Postgres } from '../support/stack.js'

/** Within so long access ends at the API, in milliseconds. */
const ENDS = 10_000
/** The proxy takes turns among the replicas: all have refused a token that was refused so often in a row. */
const TURNS = 4

const root = { username: 'root', password: 'Rosas geheimes Passwort' }
const postgres = await Postgres.create()
t.teardown(() => postgres.remove())
await postgres.start()
// Two of each service.
const fleet = await startFleet(t, postgres.url, { ADMIN: 'true' })
await addPerson(fleet, erika)
fleet.leakCheck.secret(root.password)
await fleet.register(['user', 'add', root.username, '--role', 'administrator'], `${root.password}\n`)
const { id } = JSON.parse(await fleet.register(['user', 'show', erika.username, '--json'])) as { id: string }

const administrator = new Person(fleet)
const console = `${fleet.issuer}/admin`
const begun = await administrator.request(console)
await administrator.request(await administrator.allow(begun.headers.get('location')!, root))

/** Sends a form of the console. */
async function send (path: string, fields: Record<string, string> = {}): Promise<void> {
  const page = await (await administrator.request(`${console}/people/${id}`)).text()
  const transaction = /name="transaction" value="([^"]*)"/.exec(page)![1]!
  const { status } = await administrator.request(console + path, { method: 'POST', body: new URLSearchParams({ transaction, ...fields }) })
  // A list shows what came of it.
  if (status !== (path === '/people/sign-out' ? 200 : 303)) throw new Error(`POST ${path} answered ${status}`)
}

/** A new token of Erika, in a browser of its own. */
async function getToken (): Promise<string> {
  const callback = await new Person(fleet).allow(authorizationUrl(fleet), erika)
  return new URLSearchParams(new URL(callback).hash.slice(1)).get('access_token')!
}

async function status (token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${fleet.address('customer-service')}/rest/qa/customer/1`, { headers })).status
}

/** How long all replicas take to refuse a token, in milliseconds. */
async function untilRefused (token: string): Promise<number> {
  const begun = performance.now()
  let refused = begun
  for (let row = 0; row < TURNS && performance.now() - begun < 2 * ENDS;) {
    if (row === 0) refused = performance.now()
    row = await status(token) === 401 ? row + 1 : 0
    if (row === 0) await setTimeout(200)
  }
  return refused - begun
}

/** What ends access in the console, and what lets it begin again. */
const ENDINGS: Array<[name: string, end: () => Promise<void>, goOn?: () => Promise<void>]> = [
  ['an app\'s access is removed', () => send(`/people/${id}/end-access`, { client: 'desk' })],
  ['the person is signed out everywhere', () => send(`/people/${id}/sign-out`)],
  ['the person is chosen in the list and signed out', () => send('/people/sign-out', { users: id })],
  ['the app is disabled', () => send('/apps/desk/disable'), () => send('/apps/desk/enable')],
  ['the person is disabled', () => send(`/people/${id}/disable`)]
]

for (const [name, end, goOn] of ENDINGS) {
  await t.test(`when ${name} in the console, every replica of customer-service refuses the token within 10 s`, async t => {
    const token = await getToken()
    for (let turn = 0; turn < TURNS; turn++) t.equal(await status(token), 404)
    await end()
    const ms = await untilRefused(token)
    t.ok(ms < ENDS, `refused after ${Math.round(ms)} ms`)
    await goOn?.()
  })
}

await endStack(t, fleet)
