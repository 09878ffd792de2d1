import Sqlite from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { onPostgresql, emptyDatabase } from './database.js'
import { query } from './helper.js'
import { exitCode, SERVER, start } from './server-process.js'
import { openStores } from '../src/stores/stores.js'

export const onBothDatabases = true

t.test('what stops the boot is one sentence that says what to set, and exit code 1', async t => {
  const DATABASE_URL = await emptyDatabase(t)
  const production = {
    ENVIRONMENT: 'production',
    ISSUER: 'https://id.example',
    DEFAULT_AUDIENCE: 'https://api.example',
    SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789',
    DATABASE_URL
  }
  const development = await start(t, { DATABASE_URL, DEMO_CALLBACK: 'http://localhost:3002/callback', SECRET_KEY: production.SECRET_KEY })
  const rows: Array<[name: string, env: Record<string, string>, sentence: RegExp]> = [
    ['missing secret', { ...production, SECRET_KEY: '' }, /^SECRET_KEY is missing\./],
    [
      'demo accounts',
      production,
      /has demo accounts.* client remove demo-app && frontdesk-auth client remove frontdesk-customer && frontdesk-auth user disable demo/
    ],
    ['a taken port', { DATABASE_URL, SECRET_KEY: production.SECRET_KEY, PORT: String(development.port) }, /^PORT \d+ is taken\./m],
    ['another secret', { DATABASE_URL, SECRET_KEY: 'another-0123456789-another-0123456789' }, /SECRET_KEY is not the one/],
    ['a database that cannot be opened', { DATABASE_URL: 'file:/dev/null/x.db' }, /^auth-server cannot start: /]
  ]
  for (const [name, env, sentence] of rows) {
    const { child, output } = await start(t, env)
    t.equal(await exitCode(child), 1, name)
    t.match(output(), sentence, name)
    t.notMatch(output(), / {4}at /, 'no stack')
  }
  const stores = await openStores(DATABASE_URL)
  for (const id of ['demo-app', 'frontdesk-customer']) await stores.clients.remove(id)
  await stores.users.setDisabled('demo', new Date())
  await stores.close()
  t.ok((await start(t, production)).port, 'once they are gone, it starts')
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
    t.equal((await fetch(`${address}/consent?${query({ client_id: 'demo-app', redirect_uri: undefined })}`)).status, 200)
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
      t.same(copy.prepare('SELECT id FROM client ORDER BY id').pluck().all(), ['demo-app', 'frontdesk-customer'])
      t.equal(copy.prepare('SELECT COUNT(*) FROM signing_key').pluck().get(), 1)
      copy.close()
      t.same(readdirSync(dirname(file)).filter(name => /-(wal|shm)$/.test(name) && name.startsWith(basename(file))), [])
    }
  })
}
