import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { startCheckedStack } from '../support/openapi/checked-stack.js'
import { addPerson, erika, Person } from '../support/person.js'
import { read } from '../support/sources.js'
import { root, type Stack } from '../support/stack.js'

const PAGE = 'docs/how-to/sign-in-on-devices.md'
const skip = ['bash', 'curl'].some(name => spawnSync(name, ['--version']).error !== undefined)
  ? 'bash or curl was not found. Install them (Debian: apt-get install bash curl).'
  : false

/** Types the code that a device shows, signs in and presses Allow. */
async function allowDevice (stack: Stack, userCode: string): Promise<number> {
  const [person, address] = [new Person(stack), `${stack.issuer}/device`]
  const submit = async (shown: Response, fields: Record<string, string>) => {
    const [, transaction = ''] = /name="transaction" value="([^"]*)"/.exec(await shown.text()) ?? []
    const body = new URLSearchParams({ transaction, user_code: userCode, ...fields })
    return await person.request(address, { method: 'POST', body })
  }
  const consent = await submit(await person.request(address), { decision: 'continue' })
  return (await submit(consent, { decision: 'allow', ...erika })).status
}

await t.test(`the commands and the program of ${PAGE} work, one after the other`, { skip }, async t => {
  const { stack, assertDocumented } = await startCheckedStack(t, ['auth-server'])
  await addPerson(stack, erika)
  const blocks = (kinds: string) => [...read(PAGE).matchAll(new RegExp(`^\`\`\`(?:${kinds})\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block]) => block!)
  const program = join(stack.dataDir, 'device.mjs')
  writeFileSync(program, blocks('js').join('\n'))
  const npx = `npx () { shift 2; '${process.execPath}' '${join(root, 'packages/auth-server/bin/frontdesk-auth.js')}' "$@"; }`
  const env = { ...process.env, DATABASE_URL: `file:${join(stack.dataDir, 'auth.db')}`, server: stack.issuer, ISSUER: stack.issuer }
  const commands = [npx, ...blocks('sh|bash'), `'${process.execPath}' '${program}'`]
  const child = spawn('bash', ['-c', `set -eo pipefail\n${commands.join('\n')}`], {
    cwd: stack.dataDir, env, stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill())

  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    const [, userCode] = /(?:"user_code":"| the code )([A-Z]{4}-[A-Z]{4})/.exec(line) ?? []
    if (userCode !== undefined) t.equal(await allowDevice(stack, userCode), 303)
  }
  if (child.exitCode === null) await once(child, 'close')
  t.equal(child.exitCode, 0)
  t.equal(lines[0], 'Registered the client "my-tv".')
  const [codes, answer, shown, end] = lines.slice(-4)
  const { device_code: code } = JSON.parse(codes!)
  const tokens = JSON.parse(answer!)
  t.match(tokens, { scope: 'openid customer:read', id_token: String, refresh_token: /^[\w-]{86}$/ })
  for (const secret of [code, tokens.access_token, tokens.id_token, tokens.refresh_token]) stack.leakCheck.secret(secret)
  t.ok(shown?.startsWith(`Open ${stack.issuer}/device and enter the code `))
  t.equal(end, 'Signed in for customer:read')
  assertDocumented(t)
  t.same(await stack.stop(), [0])
  t.same(stack.leakCheck.findings(), [], 'no log line holds a code, a token or a query')
})
