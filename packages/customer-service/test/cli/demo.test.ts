import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const command = fileURLToPath(new URL('../../../bin/frontdesk-customer.js', import.meta.url))

await t.test('demo customers are added once, removed by one command, and refused in production', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const run = async (action: string, more = {}, ...options: string[]) => (await promisify(execFile)(process.execPath, [command, 'demo', action, ...options], {
    env: { PATH: process.env.PATH, DATABASE_URL: `file:${join(folder, 'customers.db')}`, ...more }
  })).stdout
  t.equal(await run('add'), 'Added 40 customers.\n')
  t.equal(await run('add'), 'Added 0 customers.\n')
  t.equal(await run('remove'), 'Removed 40 customers.\n')
  t.same(JSON.parse(await run('remove', {}, '--json')), { removed: 0, changed: [] })
  await t.rejects(run('add', {
    ENVIRONMENT: 'production', ISSUER: 'https://login.example', AUDIENCE: 'https://customers.example'
  }), /Demo customers are for development only/)
})
