import { temporaryFolder } from '@frontdesk/test-kit/database'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { connect } from '../src/connect.js'
import { copyDatabase } from '../src/copy.js'
import { inspect } from '../src/inspect.js'
import { migrate } from '../src/migrate.js'
import { readDatabase } from '../src/settings.js'
import { nearestFolder } from '../src/folder.js'
import { options } from './options.js'

/** Migrations of which there are none. */
function noMigrations (folder: string): URL {
  mkdirSync(join(folder, 'migrations', 'sqlite'), { recursive: true })
  return new URL(`file://${folder}/migrations/`)
}

t.test('in production no folder is created for a database, and the nearest that exists is named', async t => {
  const folder = temporaryFolder(t)
  const migrations = noMigrations(folder)
  mkdirSync(join(folder, 'frontdesk', 'auth-server'), { recursive: true })
  writeFileSync(join(folder, 'file'), '')
  const production = { ...options, createsFolder: false }
  const nothingIn = (name: string) => `There is no folder ${join(folder, name)} for the database, and in production none is created.`
  const rows: Array<[file: string, sentence: string]> = [
    ['frontdsk/auth-server/a.db', `${nothingIn('frontdsk/auth-server')} The nearest that exists is ${folder}/frontdesk/auth-server.`],
    ['frontdesk/auth-sever/a.db', `${nothingIn('frontdesk/auth-sever')} The nearest that exists is ${folder}/frontdesk/auth-server.`],
    ['frontdesk/a/b/a.db', `${nothingIn('frontdesk/a/b')} The nearest that exists is ${folder}/frontdesk.`],
    ['file/a.db', `${folder}/file is not a folder: the database cannot be in it.`],
    ['file/b/a.db', `${folder}/file is not a folder: the database cannot be in it.`]
  ]
  for (const [name, sentence] of rows) {
    const url = `file:${join(folder, name)}`
    for (const open of [async () => { await migrate(url, migrations, production) }, async () => { await connect(url, production) }]) {
      await t.rejects(open(), { name: 'Error', message: new RegExp(`^${sentence} Correct DATABASE_URL or DATA_DIR`) }, name)
    }
    t.equal((await inspect(url, migrations, production)).noFolder?.[0], sentence)
  }
  t.same(readdirSync(folder).sort(), ['file', 'frontdesk', 'migrations'])
  t.same(readdirSync(join(folder, 'frontdesk')), ['auth-server'])

  const [from, to] = [`file:${folder}/frontdesk/a.db`, `file:${folder}/frontdsk/b.db`]
  t.equal(await migrate(from, migrations, production), true, 'a new file in a folder that exists')
  await t.rejects(copyDatabase({ from, to }, migrations, production, () => {}), /^There is no folder/, 'nor for a copy')
  t.notOk(existsSync(join(folder, 'frontdsk')))
})

t.test('in development it is created', async t => {
  const folder = temporaryFolder(t)
  const connection = await connect(`file:${folder}/a/b/c.db`, options)
  await connection.close()
  t.ok(existsSync(`${folder}/a/b/c.db`))
})

t.test('only development creates folders, whatever else ENVIRONMENT is', async t => {
  const settings = {
    DATABASE_URL: 'file:x',
    DATA_DIR: '.',
    DATABASE_POOL_SIZE: 1,
    DATABASE_CONNECT_TIMEOUT: 1,
    DATABASE_STATEMENT_TIMEOUT: 1,
    DATABASE_TLS: 'off',
    DATABASE_PREPARED_STATEMENTS: 'auto'
  } as const
  const creates = (env: NodeJS.ProcessEnv) => readDatabase(settings, env, 'x.db').database.createsFolder
  t.same([{}, { ENVIRONMENT: '' }, { ENVIRONMENT: 'development' }].map(creates), [true, true, true])
  t.same([{ ENVIRONMENT: 'production' }, { ENVIRONMENT: 'Production' }].map(creates), [false, false])
})

t.test('the nearest folder of a path that exists is itself', async t => {
  const folder = temporaryFolder(t)
  t.equal(nearestFolder(folder), folder)
  t.equal(nearestFolder('/'), '/')
})
