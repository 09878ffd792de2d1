import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openStores } from '../../src/stores/stores.js'
import { folder, run } from '../support/cli/frontdesk-auth.js'
import { runLoaded } from '../support/cli/loaded.js'

const READS = [
  'client list',
  'client show x',
  'client secret list x',
  'user list',
  'user show ann',
  'keys list',
  'audit list',
  'report implicit',
  'export'
]
const CHANGES = [
  'client update x --name X',
  'client disable x',
  'client enable x',
  'client implicit x off',
  'client remove x --yes',
  'client revoke x',
  'client secret add x',
  'client secret remove x 1',
  'user passwd ann',
  'user disable ann',
  'user enable ann',
  'user remove ann --yes',
  'user rename ann bob',
  'keys retire x --yes'
]
const IN_FOLDER = ['client list', 'apply -f - --diff', 'user passwd ann']

t.test('a command that reads or changes says that there is no database, and creates neither file nor folder', t => {
  const cwd = folder(t)
  for (const command of [...READS, 'apply -f - --diff', ...CHANGES]) {
    const input = command.startsWith('apply') ? 'clients: []' : 'a long password\n'
    // One of each kind where the database is by default.
    const { code, stdout, stderr } = IN_FOLDER.includes(command)
      ? run(command.split(' '), { cwd, input })
      : runLoaded(command.split(' '), { env: { DATA_DIR: join(cwd, 'data') }, input })
    t.strictSame({ code, stdout }, { code: 1, stdout: '' }, command)
    t.match(stderr, `There is no database ${join(cwd, 'data', 'auth.db')}. Set DATABASE_URL or DATA_DIR`)
  }
  t.match(run(['doctor'], { cwd, env: { ISSUER: 'http://localhost:1' } }).stdout, 'There is no database')
  t.same(readdirSync(cwd), [])
  t.end()
})

t.test('a command that reads does not migrate', async t => {
  const cwd = folder(t)
  const file = join(cwd, 'old.db')
  writeFileSync(file, '')
  for (const command of READS) {
    t.strictSame(runLoaded(command.split(' '), { env: { DATABASE_URL: `file:${file}` } }),
      { code: 1, stdout: '', stderr: `The database ${file} is empty. auth-server creates its tables when it starts.\n` }, command)
  }
  t.equal(statSync(file).size, 0)

  await (await openStores(`file:${file}`)).close()
  const { default: Sqlite } = await import('better-sqlite3')
  const database = new Sqlite(file)
  database.exec(
    'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations); PRAGMA wal_checkpoint(TRUNCATE)'
  )
  database.close()
  const before = readFileSync(file)
  t.match(run(['client', 'list'], { cwd, env: { DATABASE_URL: 'file:old.db' } }), {
    code: 1,
    stdout: '',
    stderr: `The database ${file} is empty. auth-server creates its tables when it starts.\n`
  })
  t.ok(readFileSync(file).equals(before))
})

t.test('without DATABASE_URL the database is the one in DATA_DIR', t => {
  const cwd = folder(t)
  const env = { DATA_DIR: 'elsewhere' }
  t.match(run(['client', 'add', 'job', '--name', 'Job', '--grant', 'client_credentials', '--confidential'], { cwd, env }), {
    code: 0,
    stderr: `Created a new database: ${join(cwd, 'elsewhere', 'auth.db')}\n`
  })
  t.match(run(['client', 'list'], { cwd, env }), { code: 0, stdout: /^job /m, stderr: '' })
  t.match(run(['client', 'list'], { cwd, env: { DATA_DIR: join(cwd, 'elsewhere') } }), { code: 0, stdout: /^job /m })
  t.match(
    run(['client', 'list'], { cwd, env: { ...env, DATABASE_URL: 'file:other.db' } }).stderr,
    `There is no database ${join(cwd, 'other.db')}.`
  )
  t.notOk(existsSync(join(cwd, 'data')))
  t.end()
})
