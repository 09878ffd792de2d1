import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { read } from '../support/sources.js'
import { root } from '../support/stack.js'

const PAGE = 'docs/how-to/test-against-auth-server.md'

/** The JavaScript of a page: the first, or all that begins with these words. */
const scriptOf = (page: string, start = '') => new RegExp(`^\`\`\`js\n(${start}.*?)^\`\`\`$`, 'ms').exec(read(page))?.[1] ?? ''

await t.test(`the tests of ${PAGE} pass with bearer.js of docs/how-to/protect-your-own-api.md`, async t => {
  // Below node_modules, where they find what they import.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'how-to-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const api = 'docs/how-to/protect-your-own-api.md'
  await writeFile(join(folder, 'bearer.js'), scriptOf(api) + scriptOf(api, '\\/\\*\\* Requires one'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'api.test.js'), scriptOf(PAGE))
  const run = promisify(execFile)(process.execPath, ['--test', '--test-reporter', 'tap'], { cwd: folder, env: { PATH: process.env.PATH } })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  t.match(stdout, /^# pass 5$/m, stdout)
  t.match(stdout, /^# fail 0$/m)
})
