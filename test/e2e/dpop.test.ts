import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { read } from '../support/sources.js'
import { root, startStack } from '../support/stack.js'

const PAGE = 'docs/how-to/bind-tokens-with-dpop.md'

await t.test(`the app of ${PAGE} gets a bound token and reads customers with it, at two services that share nothing`, async t => {
  const stack = await startStack(t, ['auth-server', 'customer-service'])
  const [, command = ''] = /^npx --no frontdesk-auth (client add .*)$/m.exec(read(PAGE)) ?? []
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
  // as: what --json prints.
  const { secret } = JSON.parse(await stack.register([...words, '--json'])) as { secret: string }
  // Below node_modules, where it finds what it imports.
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'how-to-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [, program = ''] = /^```js\n(.*?)^```$/ms.exec(read(PAGE)) ?? []
  writeFileSync(join(folder, 'job.mjs'), program)
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(folder, 'job.mjs')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ISSUER: stack.issuer, CUSTOMERS: stack.address('customer-service'), CLIENT_SECRET: secret }
  })
  t.match({ stdout, stderr, status }, { stdout: '200 application/json; charset=utf-8\n', stderr: '', status: 0 })
  t.same(await stack.stop(), [0, 0])
  t.same(stack.leakCheck.findings(), [], 'no log line holds a secret')
})
