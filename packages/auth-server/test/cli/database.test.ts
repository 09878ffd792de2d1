import Sqlite from 'better-sqlite3'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { bin, folder, node, onDatabase, plain, run } from '../support/cli/frontdesk-auth.js'

t.test('a database that was not there is made and named, once', async t => {
  const cwd = folder(t)
  const file = join(cwd, 'data', 'auth.db')
  const add = (username: string, env: Record<string, string> = {}) =>
    run(['user', 'add', username, '--json'], { cwd, env, input: 'correct horse\n' })
  t.match(add('ann'), { code: 0, stderr: `Created a new database: ${file}\n` }, 'data/auth.db below the working directory')
  t.equal(statSync(file).mode & 0o777, 0o600, 'it holds password hashes: only its owner may read it')
  t.equal(run(['client', 'list'], { cwd }).stderr, '')
  t.equal(run(['client', 'list'], { env: { INIT_CWD: cwd, DATABASE_URL: '' } }).stderr, '', 'npx says where it was called')
  t.equal(add('bob').stderr, '')
  t.equal(add('ann', { DATABASE_URL: 'file:x/y.db' }).stderr, `Created a new database: ${join(cwd, 'x', 'y.db')}\n`)
})

t.test('in production no folder is created; a variable that resembles a setting of the database is named', async t => {
  const cwd = folder(t)
  const add = (env: Record<string, string>) => run(['user', 'add', 'ann'], { cwd, env, input: 'correct horse\n' })
  const { code, stderr } = add({ ENVIRONMENT: 'production' })
  t.equal(code, 1)
  t.match(stderr, `There is no folder ${cwd}/data for the database, and in production none is created. The nearest that exists is ${cwd}. Correct`)
  t.notOk(existsSync(join(cwd, 'data')))
  t.equal(add({ DATABASE_URI: 'file:x/y.db', ISSER: 'x' }).stderr,
    `DATABASE_URI is not a setting. Did you mean DATABASE_URL?\nCreated a new database: ${join(cwd, 'data', 'auth.db')}\n`)
})

t.test('a copy reads the settings once', t => {
  const cwd = folder(t)
  const { code, stderr } = run(['db', 'copy', '--to', 'file:copy.db'], { cwd, env: { DATABASE_URI: 'file:x/y.db' } })
  t.equal(code, 1)
  t.match(stderr, /^DATABASE_URI is not a setting\. Did you mean DATABASE_URL\?\nThere is no database at \S+\. Check the address to copy from\.\n$/)
  t.end()
})

t.test('no other setting is demanded or looked at', async t => {
  const env = { DATABASE_URL: `file:${join(folder(t), 'auth.db')}`, ENVIRONMENT: 'production', PORT: 'x', ACCESS_TOKEN_TTL: '1' }
  t.equal(run(['user', 'add', 'ann'], { env, input: 'correct horse\n' }).code, 0)
  t.equal(run(['user', 'list'], { env }).code, 0)
})

t.test('a database that cannot be used is a sentence, without the password of the address', async t => {
  const cwd = folder(t)
  writeFileSync(join(cwd, 'text.db'), 'This is no database, and long enough to tell.')
  mkdirSync(join(cwd, 'folder.db'))
  const rows: Array<[url: string, sentence: string]> = [
    ['file:text.db', `The database ${join(cwd, 'text.db')} cannot be used: the file is not a database. Correct DATABASE_URL, or restore the file from a backup.\n`],
    ['file:folder.db', `The database ${join(cwd, 'folder.db')} cannot be opened: ${join(cwd, 'folder.db')} is a folder.\n`],
    [
      'postgresql://me:secret@127.0.0.1:1/auth?password=secret',
      'The database postgresql://127.0.0.1:1/auth cannot be used: nothing listens there. Start it, or correct host and port in DATABASE_URL.\n'
    ],
    ['mysql://me:secret@127.0.0.1/auth', 'DATABASE_URL must be file:']
  ]
  for (const [DATABASE_URL, sentence] of rows) {
    const { code, stdout, stderr } = run(['client', 'list'], { cwd, env: { DATABASE_URL } })
    t.strictSame({ code, stdout }, { code: 1, stdout: '' }, DATABASE_URL)
    t.match(stderr, sentence)
    t.notMatch(stderr, /secret|^ +at /m)
  }
})

t.test('a database that stays locked while the work is done', async t => {
  const file = join(folder(t), 'auth.db')
  const child = spawn(node, [...plain, bin, 'user', 'add', 'ann'], { env: { PATH: process.env.PATH, DATABASE_URL: `file:${file}` } })
  const closed = once(child, 'close')
  // Printed when it has opened the database; then it waits for the password.
  t.match(String(await once(child.stderr, 'data')), 'Created a new database')
  let stderr = ''
  child.stderr.on('data', chunk => { stderr += chunk })
  const other = new Sqlite(file)
  t.teardown(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  child.stdin.end('correct horse\n')
  t.strictSame(await closed, [1, null])
  t.match(stderr, /^The database \/.* cannot be reached, or is locked, full or read-only\. Fix that and try again\.\n$/)
})

t.test('a running server obeys within seconds', async t => {
  const { env, cli } = await onDatabase(t)
  const server = spawn(node, [...plain, fileURLToPath(new URL('../../src/server.js', import.meta.url))], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(server, 'exit')
  t.teardown(async () => {
    server.kill()
    await ended
  })
  let address = ''
  for await (const line of createInterface(server.stdout)) {
    address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
    if (address !== '') break
  }
  server.stdout.resume()
  const status = async () => (await fetch(`${address}/authorize?response_type=token&client_id=shop`, { redirect: 'manual' })).status

  t.equal(await status(), 400, 'unknown')
  const steps: Array<[args: string[], status: number]> = [
    [['client', 'add', 'shop', '--name', 'Shop', '--callback', 'https://shop.example/cb', '--grant', 'implicit'], 302],
    [['client', 'disable', 'shop'], 400],
    [['client', 'enable', 'shop'], 302],
    [['client', 'remove', 'shop', '--yes'], 400]
  ]
  for (const [args, expected] of steps) {
    t.equal(cli(args).code, 0)
    const deadline = Date.now() + 5_000
    while (await status() !== expected && Date.now() < deadline) await setTimeout(100)
    t.equal(await status(), expected, args.join(' '))
  }
})
