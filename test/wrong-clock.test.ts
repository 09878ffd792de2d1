import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { startStack, type Name } from './stack.js'

/** Within so long access ends at the API, in milliseconds. */
const ENDS = 10_000

const library = findLibrary()
const skip = library === undefined && 'faketime is not installed'
const stack = skip ? undefined : await startStack(t, [])

await t.test('auth-server is a day ahead for 12 s, then customer-service an hour: what is revoked stays refused, and good tokens do not', { skip }, async t => {
  if (stack === undefined) return
  for (const name of ['auth-server', 'customer-service'] as const) {
    await set(name, '+0')
    await stack.start(name, { LD_PRELOAD: library!, DONT_FAKE_MONOTONIC: '1', FAKETIME_NO_CACHE: '1', FAKETIME_TIMESTAMP_FILE: clockOf(name) })
  }
  const { secret } = JSON.parse(await stack.register(['client', 'add', 'my-server', '--name', 'My server', '--grant', 'client_credentials', '--confidential', '--default-scope', 'customer:read', '--json']))
  const authorization = `Basic ${Buffer.from(`my-server:${secret}`).toString('base64')}`
  const post = async (path: string, form: Record<string, string>) => await fetch(stack.issuer + path, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) })
  const getToken = async () => (await (await post('/token', { grant_type: 'client_credentials' })).json()).access_token as string
  const status = async (token: string) => (await fetch(`${stack.address('customer-service')}/rest/qa/customer/1`, { headers: { authorization: `Bearer ${token}` } })).status
  const untilRefused = async (token: string) => {
    const begun = performance.now()
    while (await status(token) !== 401 && performance.now() - begun < 2 * ENDS) await setTimeout(200)
    return performance.now() - begun
  }
  const ready = async () => await (await fetch(`${stack.address('customer-service')}/health/ready`)).json()

  const [early, good] = [await getToken(), await getToken()]
  t.same([await status(early), await status(good)], [404, 404])
  await post('/revoke', { token: early })
  t.ok(await untilRefused(early) < ENDS)

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
})

function clockOf (name: Name): string {
  return join(stack!.dataDir, `clock of ${name}`)
}

/** Sets the clock of a program. @param offset such as `+1d` */
async function set (name: Name, offset: string): Promise<void> {
  await writeFile(clockOf(name), `${offset}\n`)
}

/** What gives a process another clock; `undefined` if it is not installed. */
function findLibrary (): string | undefined {
  try {
    return execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}
