import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startCheckedStack } from '../support/openapi/checked-stack.js'
import { addPerson, authorizationUrl, erika, Person } from '../support/person.js'
import { read } from '../support/sources.js'
import { endStack } from '../support/stack.js'

/** Pages whose commands call the services, how many of these commands there are, and what else they need. */
const PAGES: Array<[page: string, calls: number, before?: string]> = [
  ['change-and-retry', 10],
  ['erase-a-customer', 3],
  // The page has a service without sign-in.
  ['browse-the-register', 9, 'curl () { command curl --max-time 5 -H "Authorization: Bearer $TOKEN" "$@"; }'],
  ['import-and-export', 4],
  ['undo', 9],
  ['follow-changes', 4],
  ['let-apps-register-themselves', 3]
]

/** Stops streams, which have no end. */
const CURL = 'curl () { command curl --max-time 5 "$@"; }'

/** Commands of other programs, with their own tests. */
const OTHERS = /^\s*(npx|npm|AUTH=none|REGISTRATION=).*$/gm

const skip = ['bash', 'curl'].some(name => spawnSync(name, ['--version']).status !== 0) && 'bash and curl must be installed.'

await t.test('the commands of how-tos get what the OpenAPI documents say', { skip }, async t => {
  const { stack, assertDocumented } = await startCheckedStack(t, ['auth-server', 'customer-service'], { REGISTRATION: 'open' })
  await addPerson(stack, erika)
  const scope = [...Object.keys(customerScopes), 'customer:erase'].join(' ')
  const answer = new URL(await new Person(stack).allow(authorizationUrl(stack, { scope }), erika))
  const TOKEN = new URLSearchParams(answer.hash.slice(1)).get('access_token')!
  const here = (command: string) => command
    .replaceAll('http://localhost:3000', stack.issuer).replaceAll(/http:\/\/localhost:30[01]1/g, stack.address('customer-service'))
  for (const [page, calls, before = CURL] of PAGES) {
    const blocks = [...read('docs/how-to', `${page}.md`).matchAll(/^( *)```(?:sh|bash)\n(.*?)^ *```$/gms)]
      .map(([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), '').replaceAll(OTHERS, ''))
    const script = here(blocks.join('\n'))
    t.ok((script.match(/\bcurl /g) ?? []).length >= calls, `${page} has ${calls} calls`)
    const cwd = join(stack.dataDir, page)
    await mkdir(cwd)
    const child = spawn('bash', ['-c', `${before}\n${script}`], { cwd, env: { PATH: process.env.PATH, TOKEN }, stdio: ['ignore', 'pipe', 'pipe'] })
    const [, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    t.same(stderr.match(/^(curl: \((?!28\)).*|bash: .*)$/gm) ?? [], [], page)
  }
  assertDocumented(t)
  await endStack(t, stack)
})
