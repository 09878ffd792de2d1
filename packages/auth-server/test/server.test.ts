import Sqlite from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { temporaryFolder } from '@frontdesk/test-kit/database'
import { examine } from './support/cli/examine.js'
import { onPostgresql, emptyDatabase } from './support/database.js'
import { query } from './support/helper.js'
import { exitCode, SERVER, start } from './support/server-process.js'
import { openStores } from '../src/stores/stores.js'

export const onBothDatabases = true

const PRODUCTION = {
  ENVIRONMENT: 'production',
  ISSUER: 'https://id.example',
  DEFAULT_AUDIENCE: 'https://api.example',
  SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789'
}

t.test('what stops the boot is one sentence that says what to set, and exit code 1', async t => {
  const DATABASE_URL = await emptyDatabase(t)
  const production = { ...PRODUCTION, DATABASE_URL }
  const development = await start(t, { DATABASE_URL, DEMO_CALLBACK: 'http://localhost:3002/callback', SECRET_KEY: production.SECRET_KEY })
  const rows: Array<[name: string, env: Record<string, string>, sentence: RegExp]> = [
    ['missing secret', { ...production, SECRET_KEY: '' }, /^SECRET_KEY is missing\./],
    [
      'demo accounts',
      production,
      /has demo accounts.* client remove desk && frontdesk-auth client remove frontdesk-customer && frontdesk-auth user disable demo/
    ],
    ['a taken port', { DATABASE_URL, SECRET_KEY: production.SECRET_KEY, PORT: String(development.port) }, /^PORT \d+ is taken\./m],
    ['another secret', { DATABASE_URL, SECRET_KEY: 'another-0123456789-another-0123456789' }, /SECRET_KEY is not the one/],
    ['a database that cannot be opened', { DATABASE_URL: `file:${import.meta.dirname}` }, /^auth-server cannot start: /],
    ['no folder', { DATABASE_URL: 'file:/dev/null/x.db' }, /^\/dev\/null is not a folder: the database cannot be in it\. Correct DATABASE_URL/],
    [
      'a folder that does not exist in production',
      { ...production, DATABASE_URL: 'file:/dev/none/x.db' },
      /^There is no folder \/dev\/none for the database, .* The nearest that exists is \/dev\. Correct DATABASE_URL/
    ]
  ]
  for (const [name, env, sentence] of rows) {
    const { child, output } = await start(t, env)
    t.equal(await exitCode(child), 1, name)
    t.match(output(), sentence, name)
    t.notMatch(output(), / {4}at /, 'no stack')
  }
  const stores = await openStores(DATABASE_URL)
  for (const id of ['desk', 'frontdesk-customer']) await stores.clients.remove(id)
  await stores.users.setDisabled('demo', new Date())
  await stores.close()
  t.ok((await start(t, production)).port, 'once they are gone, it starts')
})

t.test('in production a database that the start created is said at warn, in readiness and by doctor, until the next start', async t => {
  const DATABASE_URL = await emptyDatabase(t)
  const env = { ...PRODUCTION, DATABASE_URL }
  const place = onPostgresql ? `postgresql://${new URL(DATABASE_URL).host}${new URL(DATABASE_URL).pathname}` : DATABASE_URL.slice('file:'.length)
  for (const isNew of [true, false]) {
    const { child, address, port, output } = await start(t, env)
    const ready = await fetch(`${address}/health/ready`)
    t.equal(ready.status, 200)
    const { checks: { created } } = await ready.json() as { checks: Record<string, string> }
    const says = `${basename(place)} was created by this start; if it should have existed, correct DATABASE_URL or DATA_DIR`
    t.equal(created, isNew ? says : undefined, 'without the path: strangers may read it')
    const { stdout } = await examine({ ...env, PORT: `${port}` })
    t.equal(stdout.includes(`! The service at ${address} reports "created": ${says}`), isNew)
    t.match(stdout, `The database ${place} answers`)
    child.kill('SIGTERM')
    await exitCode(child)
    const lines = output().split('\n').filter(line => line.startsWith('{')).map(line => JSON.parse(line))
    t.same(new Set(lines.map(({ service }) => service)), new Set(['auth-server']), 'each line names the service')
    const warning = output().split('\n').find(line => line.includes('was created by this start'))
    t.equal(warning !== undefined, isNew)
    if (warning !== undefined) t.match(JSON.parse(warning), { level: 40, database: place })
  }
  const development = await start(t, { DATABASE_URL: await emptyDatabase(t) })
  t.notMatch(await (await fetch(`${development.address}/health/ready`)).text(), /created/, 'it is usual in development')
})

t.test('a variable that resembles a setting is said at warn, in readiness and by doctor; in an --env-file it stops the start', async t => {
  const env = { DATABASE_URL: await emptyDatabase(t), ISSER: 'https://id.example' }
  const says = 'ISSER is not a setting. Did you mean ISSUER?'
  const { child, address, port, output } = await start(t, env)
  const ready = await fetch(`${address}/health/ready`)
  t.equal(ready.status, 200)
  t.match(await ready.json(), { status: 'ok', checks: { settings: says } })
  const { stdout } = await examine({ ...env, PORT: `${port}` })
  t.equal(stdout.split(says).length, 2, 'once')
  const elsewhere = await examine({ DATABASE_URL: env.DATABASE_URL, PORT: `${port}` })
  t.match(elsewhere.stdout, `! The service at ${address} reports "settings": ${says}`)
  child.kill('SIGTERM')
  await exitCode(child)
  t.match(JSON.parse(output().split('\n').find(line => line.includes(says)) ?? '{}'), { level: 40, variable: 'ISSER', setting: 'ISSUER' })

  const required = await start(t, { ...PRODUCTION, ISSUER: '', ISSER: 'https://id.example', DATABASE_URL: env.DATABASE_URL })
  t.equal(await exitCode(required.child), 1)
  t.match(required.output(), `ISSUER is missing. Set it to the public https address of this server.\n${says}\n`)

  const file = `${temporaryFolder(t)}/auth.env`
  writeFileSync(file, 'AUDIT_RETENTON=10\n')
  const run = (args: string[], more = {}) => spawnSync(process.execPath, [...args, SERVER], { env: { PORT: '0', ...more }, encoding: 'utf8' })
  const { status, stderr } = run([`--env-file=${file}`], { DATABASE_URL: env.DATABASE_URL })
  t.same([status, stderr], [1, `AUDIT_RETENTON in ${file} is not a setting. Did you mean AUDIT_RETENTION?\n`])
})

t.test('four replicas started together on an empty database migrate it once and make one key of each kind', async t => {
  const DATABASE_URL = await emptyDatabase(t)
  const replicas = await Promise.all(
    Array.from({ length: 4 }, () => start(t, { DATABASE_URL, DEMO_CALLBACK: 'http://localhost:3002/callback' }))
  )
  for (const { port, output } of replicas) t.ok(port, output())
  const sets = await Promise.all(replicas.map(async ({ address }) => {
    const keys = async () => await (await fetch(`${address}/.well-known/jwks.json`)).text()
    // That of ID tokens is made after a replica has begun to listen.
    while (!(await keys()).includes('RS256')) await setTimeout(20)
    return await keys()
  }))
  t.equal(new Set(sets).size, 1)
  t.equal(JSON.parse(sets[0]!).keys.length, 2)
  for (const { address } of replicas) {
    t.equal((await fetch(`${address}/consent?${query({ client_id: 'desk', redirect_uri: undefined })}`)).status, 200)
  }
})

t.test('too few open files are a sentence, before any module is missing', async t => {
  const { status, stderr } = spawnSync('sh', ['-c', `ulimit -n 150 && exec "${process.execPath}" "${SERVER}"`], {
    env: { PORT: '0', DATABASE_URL: await emptyDatabase(t) },
    encoding: 'utf8'
  })
  t.equal(status, 1)
  t.match(
    stderr,
    /^This process may only open 150 files and connections, and needs 256 at least\. Raise the limit: `ulimit -n 65536` .*\n$/
  )
})

if (!onPostgresql) {
  t.test('after SIGTERM the file alone is the whole database: no -wal is left, and a copy has every row', async t => {
    const DATABASE_URL = await emptyDatabase(t)
    const file = DATABASE_URL.slice('file:'.length)
    for (const reader of [false, true]) {
      const { child } = await start(t, { DATABASE_URL, DEMO_CALLBACK: 'http://localhost:3002/callback' })
      const stores = reader ? await openStores(DATABASE_URL) : undefined
      await stores?.clients.list()
      child.kill('SIGTERM')
      t.equal(await exitCode(child), 0)
      copyFileSync(file, `${file}.copy`)
      await stores?.close()
      const copy = new Sqlite(`${file}.copy`)
      t.same(copy.prepare('SELECT id FROM client ORDER BY id').pluck().all(), ['desk', 'frontdesk-customer'])
      t.equal(copy.prepare('SELECT COUNT(*) FROM signing_key').pluck().get(), 1)
      copy.close()
      t.same(readdirSync(dirname(file)).filter(name => /-(wal|shm)$/.test(name) && name.startsWith(basename(file))), [])
    }
  })
}
