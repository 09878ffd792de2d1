import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStores } from '../../src/stores/stores.js'
import { bin, folder, node, onDatabase, plain, run } from '../support/cli/frontdesk-auth.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { CHEAP_HASH } from '../support/foreign-hashes.js'

export const onBothDatabases = true

const CSV = `username,name,email,email_verified,roles,password_hash,shoe size
ann,Ann Example,ann@example.com,yes,editor administrator,${CHEAP_HASH},38
bob,,,,,,
cy@example.com,,cy@example.com,yes,,${CHEAP_HASH},
dora,,,,,$1$md5,
`

t.test('a file is checked, imported, corrected and imported again', async t => {
  const { cli, stores } = await onDatabase(t)
  const file = join(folder(t), 'people.csv')
  writeFileSync(file, CSV)
  cli(['role', 'add', 'editor', '--scopes', 'customer:write'])
  const details = [
    '1 without a password.',
    'Not imported: the column "shoe size" (4 users).',
    'Not imported: the role "administrator" (1 user).',
    'line 4 ("cy@example.com"): username: A user name with @ must be the user\'s own verified email address.',
    'line 5 ("dora"): passwordHash: The password hash must be one of: bcrypt, pbkdf2, scrypt, argon2.',
    ''
  ].join('\n')
  t.same(cli(['user', 'import', file, '--dry-run', '--key', 'May']), {
    code: 1, stderr: '', stdout: `4 users read, 2 can be imported, 2 failed. Nothing has been imported yet.\n${details}`
  })
  t.equal(await stores.users.find('ann'), null)
  t.same(cli(['user', 'import', file, '--key', 'May']), { code: 1, stderr: '', stdout: `4 users read, 2 imported, 2 failed.\n${details}` })

  writeFileSync(file, CSV.replace('$1$md5', CHEAP_HASH).replace(',38', ','))
  t.match(cli(['user', 'import', file, '--key', 'May', '--trust-emails', '--json']), { code: 0, stderr: '' })
  t.match(JSON.parse(cli(['user', 'import', file, '--key', 'May', '--trust-emails', '--json']).stdout), {
    read: 4, added: 0, present: 4, withoutPassword: 1, failed: 0, errors: [], left: [{ what: 'the column "shoe size"', users: 4 }], unreadable: null
  })
  t.match(await stores.profiles.findAny('cy@example.com'), { emailVerified: true })
  t.match(await stores.profiles.findAny('ann'), { emailVerified: false }, 'who was imported before stays as they are')
})

t.test('a dry run finds users who are in the file twice, by the user name or by the id to keep', async t => {
  const { cli } = await onDatabase(t)
  const file = join(folder(t), 'people.csv')
  const [one, other] = ['2ff4b4d0-fd72-4c6e-9684-02ab337687c2', '9c1ab6e0-5ad5-4a0c-8a35-1ec8d7e4a6f1']
  // In two parts.
  const others = Array.from({ length: 600 }, (_, index) => `user${index},`).join('\n')
  writeFileSync(file, `username,id\nann,${one}\nbob,${one}\n${others}\nANN,${other}\n`)
  const { stdout } = cli(['user', 'import', file, '--dry-run'])
  t.match(stdout, '603 users read, 602 can be imported, 1 failed.')
  t.match(stdout, '\nline 604 ("ANN"): username: The file has this user more than once.\n')
  const { errors, added } = JSON.parse(cli(['user', 'import', file, '--dry-run', '--keep-ids', '--json']).stdout)
  t.equal(added, 1)
  t.same(errors.filter(({ username }: { username: string }) => ['ann', 'bob', 'ANN'].includes(username)), [
    { line: 3, username: 'bob', errors: [{ field: 'id', detail: 'The file has this user more than once.' }] },
    { line: 604, username: 'ANN', errors: [{ field: 'username', detail: 'The file has this user more than once.' }] }
  ])
})

t.test('an unreadable part is reported with its line, and everything before it is imported', async t => {
  const { cli, stores, env } = await onDatabase(t)
  const directory = folder(t)
  const write = (name: string, text: string | Buffer) => { writeFileSync(join(directory, name), text); return join(directory, name) }
  t.match(cli(['user', 'import', write('people.txt', CSV)]), { code: 2, stderr: /add --format: .*people\.txt does not end in \.csv, \.json/ })
  t.match(cli(['user', 'import', join(directory, 'none.csv')]), { code: 1, stderr: /none\.csv cannot be read: ENOENT/ })
  const broken = write('broken.json', '{"realm":"x","users":[\n{"username":"ann"},\n{"username":"bob"')
  t.match(cli(['user', 'import', broken]), {
    code: 1, stdout: /^1 user read, 1 imported, 0 failed\.\n1 without a password\.\nThe file could not be read completely\. Line 3 is the last/
  })
  t.ok(await stores.users.find('ann'))
  t.match(cli(['user', 'import', write('latin.csv', Buffer.from('username\nJos\xe9\n', 'latin1'))]), { code: 1, stdout: /Line 2 is not UTF-8/ })
  t.match(run(['user', 'import', '-', '--format', 'csv'], { env, input: CSV }), { code: 2, stderr: /add --key: standard input/ })
  t.match(run(['user', 'import', '-', '--format', 'csv', '--key', 'x'], { env, input: 'username\ncy\n' }), { code: 0, stdout: /^1 user read, 1 imported/ })
})

const USERS = 6_000

t.test('an import that is killed is continued by the same command: no one is missing, and no one is there twice', async t => {
  const env = { DATABASE_URL: await temporaryDatabase(t) }
  const stores = await openStores(env.DATABASE_URL, longTimeouts)
  t.teardown(() => stores.close())
  const file = join(folder(t), 'people.csv')
  writeFileSync(file, `username,password_hash\n${Array.from({ length: USERS }, (_, index) => `user${index},${CHEAP_HASH}\n`).join('')}`)
  const names = Array.from({ length: USERS }, (_, index) => ({ id: '', username: `user${index}` }))
  const count = async () => (await stores.users.findTaken(names)).names.size
  let killed = 0
  for (let attempt = 1; attempt <= 3; attempt++) {
    const child = spawn(node, [...plain, bin, 'user', 'import', file], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' })
    const ended = once(child, 'close')
    for (let before = await count(); child.exitCode === null && await count() === before;) await sleep(5)
    child.kill('SIGKILL')
    await ended
    if (await count() < USERS) killed++
  }
  t.ok(killed > 0, 'killed in the middle')
  const imported = await count()
  t.match(JSON.parse(run(['user', 'import', file, '--json'], { env }).stdout), { read: USERS, added: USERS - imported, present: imported, failed: 0 })
  t.equal(await count(), USERS)
  t.match(JSON.parse(run(['user', 'import', file, '--json'], { env }).stdout), { added: 0, present: USERS, failed: 0 })
})
