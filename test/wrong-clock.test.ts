import { fakeTime, skipWithoutFakeTime as skip } from '@frontdesk/test-kit/fake-time'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { replica, startFleet } from './support/replicas/fleet.js'
import { Postgres, startStack, type Name, type Stack } from './support/stack.js'

/** Within so long access ends at the API, in milliseconds. */
const ENDS = 10_000

const stack = skip ? undefined : await startStack(t, [])

// Both mostly wait.
t.jobs = 2
const replicas = t.test('a replica of auth-server that is two minutes behind revokes a token, and the API refuses it', { skip }, async t => {
  const server = await Postgres.create()
  t.teardown(() => server.remove())
  await server.start()
  const fleet = await startFleet(t, server.url, { LOG_LEVEL: 'warn' })
  const api = clientOf(fleet, await addClient(fleet))
  const [early, good] = [await api.getToken(), await api.getToken()]
  await api.post('/revoke', { token: early })
  t.ok(await api.untilRefused(early) < ENDS, 'the feed has been read up to now')

  await fleet.end(replica('auth-server', 2), 'SIGTERM')
  await fleet.start(replica('auth-server', 2), { ...fakeTime, FAKETIME: '-120s' })
  t.equal(await api.status(good), 404)
  // The proxy takes turns: sooner or later the replica that is behind revokes, while the other one serves the feed too.
  let late = ''
  for (let behind = false; !behind;) {
    late = await api.getToken()
    const { headers } = await api.post('/revoke', { token: late })
    behind = Date.parse(headers.get('date') ?? '') < Date.now() - 100_000
  }
  const ms = await api.untilRefused(late)
  t.ok(ms < ENDS, `refused after ${Math.round(ms)} ms`)
  t.equal(await api.status(good), 404)
})

const programs = t.test(
  'auth-server is a day ahead for 12 s, then customer-service an hour: what is revoked stays refused, and good tokens do not',
  { skip },
  async t => {
    if (stack === undefined) return
    for (const name of ['auth-server', 'customer-service'] as const) {
      await set(name, '+0')
      await stack.start(name, {
        ...fakeTime,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_TIMESTAMP_FILE: clockOf(name)
      })
    }
    const { post, getToken, status, untilRefused } = clientOf(stack, await addClient(stack))
    const ready = async () => await (await fetch(`${stack.address('customer-service')}/health/ready`)).json()

    const [early, good] = [await getToken(), await getToken()]
    t.same([await status(early), await status(good)], [404, 404])
    await post('/revoke', { token: early })
    t.ok((await untilRefused(early)) < ENDS)

    await set('auth-server', '+1d')
    await setTimeout(6_000)
    t.match(await ready(), { status: 'ok', checks: { clock: /^86\d{3} s behind the authorization server$/ } })
    await setTimeout(6_000)
    await set('auth-server', '+0')
    const late = await getToken()
    t.equal(await status(late), 404)
    await post('/revoke', { token: late })
    const ms = await untilRefused(late)
    t.ok(ms < ENDS, `a token that is revoked afterwards is refused after ${Math.round(ms)} ms`)

    await set('customer-service', '+1h')
    await setTimeout(5_000)
    t.same([await status(early), await status(late)], [401, 401])
    await set('customer-service', '+0')
    for (let seconds = 0; seconds < 6; seconds++) {
      t.same([await status(early), await status(late), await status(good)], [401, 401, 404], `${seconds} s after its clock is right again`)
      await setTimeout(1_000)
    }
    t.notOk('clock' in (await ready()).checks)
  }
)
await Promise.all([replicas, programs])

/** Registers a client that gets tokens by itself; gives its secret. */
async function addClient (stack: Stack): Promise<string> {
  return JSON.parse(
    await stack.register([
      'client', 'add', 'my-server', '--name', 'My server', '--grant', 'client_credentials', '--confidential', '--default-scope',
      'customer:read', '--json'
    ])
  ).secret
}

/** What that client does. */
function clientOf (stack: Stack, secret: string) {
  const authorization = `Basic ${Buffer.from(`my-server:${secret}`).toString('base64')}`
  const post = async (path: string, form: Record<string, string>) =>
    await fetch(stack.issuer + path, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) })
  const getToken = async () => (await (await post('/token', { grant_type: 'client_credentials' })).json()).access_token as string
  const status = async (token: string) =>
    (await fetch(`${stack.address('customer-service')}/rest/qa/customer/1`, { headers: { authorization: `Bearer ${token}` } })).status
  const untilRefused = async (token: string) => {
    const begun = performance.now()
    while (await status(token) !== 401 && performance.now() - begun < 2 * ENDS) await setTimeout(200)
    return performance.now() - begun
  }
  return { post, getToken, status, untilRefused }
}

function clockOf (name: Name): string {
  return join(stack!.dataDir, `clock of ${name}`)
}

/** Sets the clock of a program. @param offset such as `+1d` */
async function set (name: Name, offset: string): Promise<void> {
  await writeFile(clockOf(name), `${offset}\n`)
}
