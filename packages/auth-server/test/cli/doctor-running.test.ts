import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { examine, nowhere, standIn } from '../support/cli/examine.js'
import { bin, node, run } from '../support/cli/frontdesk-auth.js'

const ISSUER = 'https://login.example'

t.test('doctor names the settings that it read, and where, without their values', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-doctor-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'auth.env')
  writeFileSync(file, 'SECRET_KEY=0123456789012345678901234567890123456789\nSIGNING_ALG=ES256\n')
  const env = { PATH: process.env.PATH, PORT: '0', DATABASE_URL: 'file:/nowhere/none.db' }
  const { stdout } = spawnSync(node, [`--env-file=${file}`, bin, 'doctor'], { encoding: 'utf8', env, timeout: 20_000 })
  t.match(stdout, `Settings: SECRET_KEY, SIGNING_ALG from ${file}; PORT, DATABASE_URL from the environment of this command. All others have their defaults.`)
  t.notMatch(stdout, '0123456789')
  t.match(run(['doctor'], { env: { DATABASE_URL: '' } }).stdout, 'No setting is set in the environment of this command: these are the defaults.')
})

t.test('doctor compares its settings with those that the running service publishes', async t => {
  let issuer = ISSUER
  const url = await standIn(t, (request, response) => {
    response.end(JSON.stringify(request.url === '/health/ready' ? { status: 'ok', checks: { database: 'ok' } } : { issuer }))
  })
  const env = { ISSUER, PORT: new URL(url).port, DATABASE_URL: 'file:/nowhere/none.db' }
  t.match((await examine(env)).stdout, `✓ The service at ${url} runs with the same ISSUER.\n`)
  issuer = 'https://other.example'
  t.match((await examine(env)).stdout,
    `! The service at ${url} runs with other settings: ISSUER is https://other.example there, and ${ISSUER} here.\n`)
  const port = new URL(await nowhere()).port
  t.match((await examine({ ...env, PORT: port })).stdout, `? No service runs at http://127.0.0.1:${port}, so its settings were not compared with these.\n`)
})

t.test('a link that works only on this computer is printed with a warning', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-invite-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const env = { DATABASE_URL: `file:${join(folder, 'auth.db')}` }
  const warning = 'Warning: the link works only on this computer, because ISSUER is http://localhost:3000.'
  t.match(run(['user', 'invite', 'ann'], { env }), { code: 0, stdout: 'http://localhost:3000/set-password?link=', stderr: warning })
  t.match(run(['user', 'reset-link', 'ann', '--json'], { env }).stderr, warning)
  t.notMatch(run(['user', 'reset-link', 'ann'], { env: { ...env, ISSUER } }).stderr, 'Warning')
})
