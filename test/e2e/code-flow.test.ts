import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { startCheckedStack } from '../support/openapi/checked-stack.js'
import { addPerson, erika, Person } from '../support/person.js'
import { read } from '../support/sources.js'
import { root } from '../support/stack.js'

const skip = ['bash', 'curl', 'openssl'].some(name => spawnSync(name, ['version']).error !== undefined)
  ? 'bash, curl or openssl was not found. Install them (Debian: apt-get install bash curl openssl).'
  : false

await t.test('the commands of docs/how-to/use-the-code-flow.md work, one after the other', { skip }, async t => {
  const { stack, assertDocumented } = await startCheckedStack(t, ['auth-server'])
  await addPerson(stack, erika)
  const blocks = [...read('docs/how-to/use-the-code-flow.md').matchAll(/^```(?:sh|bash)\n(.*?)^```$/gms)].map(([, block]) => block!)
  t.ok(blocks.length > 6, `${blocks.length} blocks`)
  const npx = `npx () { shift 2; '${process.execPath}' '${join(root, 'packages/auth-server/bin/frontdesk-auth.js')}' "$@"; }`
  const env = { ...process.env, DATABASE_URL: `file:${join(stack.dataDir, 'auth.db')}`, server: stack.issuer }
  const child = spawn('bash', ['-c', `set -eo pipefail\n${npx}\n${blocks.join('\n')}`], {
    cwd: stack.dataDir, env, stdio: ['pipe', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill())

  const isRequest = (line: string) => line.startsWith(`${stack.issuer}/authorize?`)
  const lines: string[] = []
  const states: Array<string | null> = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (!isRequest(line)) continue
    const answer = new URL(await new Person(stack).allow(line, erika)).searchParams
    states.push(answer.get('state'))
    child.stdin.write(`${answer.get('code')}\n`)
  }
  if (child.exitCode === null) await once(child, 'close')
  t.equal(child.exitCode, 0)
  t.equal(lines[0], 'Registered the client "my-app".')
  const [request, pushed] = lines.filter(isRequest).map(line => new URL(line).searchParams)
  t.same([...pushed!.keys()], ['client_id', 'request_uri'])
  t.same(states, Array(2).fill(request!.get('state')))
  const [exchanged, refreshed, revoked, introspected, ...others] = lines.slice(lines.findIndex(isRequest)).filter(line => !isRequest(line))
  for (const answer of [exchanged, refreshed].map(line => JSON.parse(line!))) {
    t.match(answer, { token_type: 'Bearer', scope: 'customer:read', refresh_token: /^[\w-]{86}$/ })
    for (const token of [answer.access_token, answer.refresh_token]) stack.leakCheck.secret(token)
  }
  t.equal(revoked, '200')
  t.match(JSON.parse(introspected!), { active: true, client_id: 'my-server', sub: 'my-server', scope: 'customer:read' })
  t.same(others, [])
  assertDocumented(t)
  t.same(await stack.stop(), [0])
  t.same(stack.leakCheck.findings(), [], 'no log line holds a token or a query')
})
