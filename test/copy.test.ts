import Sqlite from 'better-sqlite3'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { migratedDatabase } from './support/released/database.js'
import { SERVICES } from './support/released/releases.js'
import { AUTH, CUSTOMER, environment, NAMES, registerOf, rowsOf, run } from './support/db-command.js'
import { startStack } from './support/stack.js'

export const needsPostgresql = true
const ROWS = 5_000

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-copy-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

/** An empty database of the server, and its rows. */
async function emptyPostgres () {
  const server = process.env.TEST_DATABASE_URL ?? ''
  const name = `copy_${randomUUID().replaceAll('-', '')}`
  const query = async (sql: string, url = new URL(`/${name}`, server).href) => {
    const client = new pg.Client(url)
    await client.connect()
    return (await client.query(sql).finally(() => client.end())).rows as Array<Record<string, unknown>>
  }
  await query(`CREATE DATABASE ${name}`, server)
  t.teardown(() => query(`DROP DATABASE ${name} WITH (FORCE)`, server))
  return { url: new URL(`/${name}`, server).href, query }
}

await t.test('every customer goes to PostgreSQL and back, byte for byte, and the service starts there', async t => {
  const from = await registerOf(t, ROWS)
  const database = new Sqlite(from.slice('file:'.length))
  database.exec(`INSERT INTO customer_change (seq, customer_id, version, kind, at, fields, after)
    VALUES (41, 3, 1, 'registered', '2030-01-01T00:00:00.000+00:00', 'name,age,address', '{}')`)
  database.close()
  const target = await emptyPostgres()
  const back = `file:${join(folder, 'back.db')}`
  const there = await run(CUSTOMER, ['copy', '--from', from], target.url)
  t.match(there, { code: 0, stdout: new RegExp(`^customer: ${ROWS} rows, checksum [0-9a-f]+\n(\\w+: [01] rows.*\n)*Copied and compared\\.`) })
  t.match(await run(CUSTOMER, ['copy', '--to', back], target.url), { code: 0, stdout: there.stdout.split('\n')[0] })
  t.same(rowsOf(back, 'SELECT * FROM customer ORDER BY id'), rowsOf(from, 'SELECT * FROM customer ORDER BY id'))

  t.match(await run(CUSTOMER, ['copy', '--to', target.url], from), {
    code: 1, stderr: 'The target is not empty: customer has rows. Use an empty database.\n'
  })
  t.match(await run(CUSTOMER, ['copy', '--to', from], from), { code: 1, stderr: /the same database/ })
  t.match(await run(CUSTOMER, ['copy'], from), { code: 1, stderr: /Add --from or --to/ })
  t.match(await run(CUSTOMER, ['copy', '--from', 'file:/no/such/file.db'], target.url), { code: 1, stderr: /There is no database at/ })
  const stack = await startStack(t, [])
  await stack.start('customer-service', { DATABASE_URL: target.url, AUTH: 'none' })
  const register = `${stack.address('customer-service')}/rest/qa/customer`
  t.equal(await (await fetch(`${register}/3`)).text(), NAMES[3])
  // A new change is numbered after those that were copied.
  t.equal((await fetch(`${register}/3`, { method: 'DELETE' })).status, 204)
  t.match(await target.query('SELECT seq, kind FROM customer_change ORDER BY seq', target.url), [
    { seq: '41', kind: 'registered' }, { seq: '42', kind: 'removed' }
  ])
  // Customers that only SQL wrote are indexed in the background.
  while (!(await (await fetch(`${register}?q=one+2001`)).text()).includes('"customerid":2001')) await setTimeout(50)
})

await t.test('every table of auth-server is copied, also one that is not there yet', async t => {
  const from = await migratedDatabase('auth', 'sqlite')
  t.teardown(from.remove)
  await SERVICES.auth(from.url, stores => stores)
  const database = new Sqlite(from.url.slice('file:'.length))
  database.exec("INSERT INTO throttle (key, points, expire) VALUES ('k', 1, NULL)")
  const tables =
    database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> '_prisma_migrations'")
      .pluck().all() as string[]
  const filled = tables.filter(table => database.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get() !== undefined)
  database.close()
  t.ok(filled.length >= 6, filled.join(', '))
  const target = await emptyPostgres()
  const back = `file:${join(folder, 'auth-back.db')}`
  t.match(await run(AUTH, ['copy', '--from', from.url], target.url), { code: 0 })
  t.match(await run(AUTH, ['copy', '--to', back], target.url), { code: 0 })
  for (const table of tables) {
    const [before, after] = [
      from.url, back
    ].map(url => rowsOf(url, `SELECT * FROM "${table}"`).map(row => JSON.stringify(row).replaceAll('Z"', '+00:00"')).sort())
    t.same(after, before, table)
  }
})

await t.test('kill -9 in the middle leaves nothing, and the next run does it all', async t => {
  const from = await registerOf(t, 40_000)
  const target = await emptyPostgres()
  await run(CUSTOMER, ['copy', '--from', `file:${join(folder, 'back.db')}`], target.url)
  await target.query('DELETE FROM customer; DELETE FROM customer_change')
  const child = spawn(process.execPath, [CUSTOMER, 'db', 'copy', '--from', from], { env: environment(target.url), stdio: 'ignore' })
  const exit = once(child, 'exit')
  // A statement that others see only while it is under way.
  const underWay =
    "SELECT 1 FROM pg_stat_activity WHERE state <> 'idle' AND query LIKE 'INSERT INTO \"customer\"%' AND pid <> pg_backend_pid()"
  while ((await target.query(underWay)).length === 0 && child.exitCode === null) { /* until it writes */ }
  child.kill('SIGKILL')
  t.same(await exit, [null, 'SIGKILL'])
  t.same(await target.query('SELECT count(*)::int AS rows FROM customer'), [{ rows: 0 }])
  t.match(await run(CUSTOMER, ['copy', '--from', from], target.url), { code: 0, stdout: /^customer: 40000 rows/ })
})

await t.test('what is not the same in the end is found, and nothing stays copied', async t => {
  const from = await registerOf(t, 2_500)
  const target = await emptyPostgres()
  await run(CUSTOMER, ['copy', '--from', `file:${join(folder, 'back.db')}`], target.url)
  await target.query('DELETE FROM customer; DELETE FROM customer_change')
  // Another client changes one row during the copy.
  await target.query(
    "CREATE FUNCTION spoil () RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.id = 1234 THEN NEW.address = NEW.address || ' '; END IF; RETURN NEW; END $$"
  )
  await target.query('CREATE TRIGGER spoil BEFORE INSERT ON customer FOR EACH ROW EXECUTE FUNCTION spoil()')
  t.match(await run(CUSTOMER, ['copy', '--from', from], target.url), {
    code: 1, stderr: /^The copy of customer differs from the original: 2500 rows of 2500\. Nothing was copied\./
  })
  t.same(await target.query('SELECT count(*)::int AS rows FROM customer'), [{ rows: 0 }])
})

await t.test(
  'what else is in the target is left alone; the same database under another name, and tables of others in the source, are named',
  async t => {
    const from = await registerOf(t, 10)
    const target = await emptyPostgres()
    await target.query('CREATE TABLE mine (point point); CREATE VIEW statistics AS SELECT 1 AS one')
    t.match(await run(CUSTOMER, ['copy', '--from', from], target.url), { code: 0, stdout: /^customer: 10 rows/ })
    await target.query('DELETE FROM customer')
    t.match(await run(CUSTOMER, ['copy', '--to', target.url.replace('127.0.0.1', 'localhost')], target.url), {
      code: 1,
      stderr: /^Both addresses are the same database\./
    })
    t.match(await run(CUSTOMER, ['copy', '--to', `file:${join(folder, 'mine.db')}`], target.url), {
      code: 1,
      stderr: /^The source has tables of other programs: mine\./
    })
  }
)

await t.test('PostgreSQL that ends the connection in the middle of a copy: nothing was copied, in one sentence', async t => {
  const target = await emptyPostgres()
  const from = await registerOf(t, 40_000)
  const copying = run(CUSTOMER, ['copy', '--from', from], target.url)
  const end =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE \'INSERT INTO "customer"%\' AND pid <> pg_backend_pid()'
  while ((await target.query(end)).length === 0) { /* until it writes */ }
  t.match(await copying, { code: 1, stdout: '', stderr: /^Nothing was copied: [^\n]+\.\n$/ })
})

await t.test('an address that the settings would refuse is refused in their words', async t => {
  const several =
    'must name one server, without target_session_attrs. For several servers, use HAProxy or PgBouncer, or the address that your provider has for it.'
  const refused: Array<[args: [option: string, url: string], sentence: string]> = [
    [['--to', 'postgresql://u:p@a:5432,b:5432/x'], `--to ${several}`],
    [['--from', 'postgresql://a/x?target_session_attrs=any'], `--from ${several}`],
    [
      ['--to', 'postgresql://a/x?sslmode=require'],
      '--to must not have TLS parameters. Remove those that begin with ssl, and set DATABASE_TLS=on.'
    ],
    [
      ['--to', `file:${folder}/x.db?x=1`],
      '--to must be file: and a path, without parameters. Remove ?x=1. If the file name contains it, rename the file.'
    ]
  ]
  for (const bin of [CUSTOMER, AUTH]) {
    for (const [args, sentence] of refused) {
      t.match(await run(bin, ['copy', ...args], `file:${folder}/none.db`), {
        code: 1, stdout: '', stderr: sentence
      })
    }
  }
})
