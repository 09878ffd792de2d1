import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { verifyPassword } from '../../src/sign-in/password.js'
import type { Stores } from '../../src/stores/stores.js'
import type { User } from '../../src/stores/users/users.js'
import { bin, node, onDatabase, plain } from '../support/cli/frontdesk-auth.js'

const PASSWORD = 'correct horse'

t.test('a person from registration on, while a server has the database open', async t => {
  const { cli, stores } = await onDatabase(t)
  t.equal(cli(['user', 'list']).stdout, 'No users are registered.\n')
  t.strictSame(cli(['user', 'add', 'Žofie'], `${PASSWORD}\nsecond line\n`), { code: 0, stdout: 'Registered "Žofie".\n', stderr: '' })
  const person = await stores.users.find('žofie')
  t.match(person, {
    username: 'Žofie',
    demo: false,
    disabledAt: null,
    id: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    passwordHash: /^\$argon2id\$/
  })
  t.ok(await verifyPassword(person?.passwordHash, PASSWORD))

  const [createdAt, passwordSetAt] = [person?.createdAt.toISOString(), person?.passwordSetAt?.toISOString()]
  const fields = { id: person?.id, username: 'Žofie', passwordSetAt, termsVersion: null, termsAcceptedAt: null, demo: false, disabledAt: null, createdAt }
  const attributes = { name: null, givenName: null, familyName: null, email: null, emailVerified: false, locale: null, picture: null }
  t.strictSame(JSON.parse(cli(['user', 'list', '--json']).stdout), [{ ...fields, ...attributes }], 'without the hash')
  t.strictSame(cli(['user', 'add', 'žOFIE'], PASSWORD), {
    code: 1,
    stdout: '',
    stderr: 'The user name "žOFIE" is taken; upper and lower case make no difference.\n'
  })

  const session = await signIn(stores)
  const token = {
    iss: '',
    aud: '',
    scope: '',
    sub: person?.id ?? '',
    client_id: 'app',
    jti: 'token',
    iat: Math.floor(Date.now() / 1_000),
    exp: 0
  }
  t.equal(
    cli(['user', 'passwd', 'žofie'], 'battery staple').stdout,
    'Set the password of "Žofie" and ended every session. The access of clients ends within ten seconds.\n'
  )
  t.ok(await verifyPassword((await stores.users.find('žofie'))?.passwordHash, 'battery staple'))
  t.equal(await session(), null, 'signed out')
  t.equal(await stores.revocations.covers(token), true, 'also what apps hold')

  const other = await signIn(stores)
  t.equal(
    cli(['user', 'disable', 'Žofie']).stdout,
    'Disabled "Žofie" and ended every session. The access of clients ends within ten seconds.\n'
  )
  t.ok((await stores.users.find('žofie'))?.disabledAt)
  t.equal(cli(['user', 'list']).stdout, `ID                                    STATE     USER NAME\n${person?.id}  disabled  Žofie\n`)
  const changedAt = (await stores.users.find('žofie'))?.passwordSetAt?.toISOString()
  t.not(changedAt, passwordSetAt)
  t.strictSame(JSON.parse(cli(['user', 'enable', 'Žofie', '--json']).stdout), { ...fields, passwordSetAt: changedAt })
  t.equal((await stores.users.find('žofie'))?.disabledAt, null)
  t.equal(await other(), null, 'the session does not come back')
})

t.test('a person who is not there', async t => {
  const { cli } = await onDatabase(t)
  for (const command of ['passwd', 'disable']) {
    t.strictSame(
      cli(['user', command, 'ghost'], PASSWORD),
      { code: 1, stdout: '', stderr: 'No user has the user name "ghost". To see all: frontdesk-auth user list\n' },
      command
    )
  }
})

t.test('passwords on standard input', async t => {
  const { cli, stores } = await onDatabase(t)
  const rows: Array<[name: string, input: string | Buffer, sentence: string]> = [
    ['nothing', '', 'The password is missing. Type it at a terminal, or pass it as the first line of standard input.'],
    ['seven characters', '😀'.repeat(7), 'The password is too short: at least 8 characters.'],
    ['a megabyte', 'x'.repeat(1_000_000), 'The password is too long: at most 1024 bytes.'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41]), 'Standard input is not in UTF-8.']
  ]
  for (const [name, input, sentence] of rows) {
    t.strictSame(cli(['user', 'add', 'ann'], input), { code: 1, stdout: '', stderr: `${sentence}\n` }, name)
  }
  t.strictSame(await stores.users.list(), [])

  cli(['user', 'add', 'ann'], ` ${PASSWORD} \r\nmore`)
  t.ok(
    await verifyPassword((await stores.users.find('ann'))?.passwordHash, ` ${PASSWORD} `),
    'blanks belong to it, the end of the line does not'
  )
  cli(['user', 'passwd', 'ann'], 'é'.repeat(512))
  t.ok(await verifyPassword((await stores.users.find('ann'))?.passwordHash, 'é'.repeat(512)), 'the longest, and no newline after it')
})

t.test('a user name that breaks a rule is refused before the password is read', async t => {
  const { cli, stores } = await onDatabase(t)
  t.strictSame(cli(['user', 'add', ' ann']), { code: 1, stdout: '', stderr: 'The user name begins or ends with a space.\n' })
  t.strictSame(await stores.users.list(), [])
})

t.test('other processes never see the password', async t => {
  const { env } = await onDatabase(t)
  const child = spawn(node, [...plain, bin, 'user', 'add', 'ann'], { env: { PATH: process.env.PATH, ...env } })
  const exit = once(child, 'exit')
  child.stdin.write(`${PASSWORD}\n`)
  let seen = 0
  while (child.exitCode === null) {
    const shown = seenByOthers(child.pid ?? 0)
    if (shown.includes('ann')) seen++
    t.notMatch(shown, PASSWORD)
    await setTimeout(20)
  }
  t.strictSame(await exit, [0, null], 'done after the first line, though standard input is still open')
  t.ok(seen > 2, `looked at it ${seen} times`)
})

/** Arguments and environment of a process, as `ps eww` shows them; empty once it has ended. */
function seenByOthers (pid: number): string {
  if (!existsSync('/proc/self/cmdline')) return spawnSync('ps', ['eww', '-p', `${pid}`], { encoding: 'utf8' }).stdout
  try {
    return ['cmdline', 'environ'].map(name => readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', ' ')).join()
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))) return ''
    throw error
  }
}

/** A session of Žofie; the result looks it up. */
async function signIn (stores: Stores) {
  const idHash = `hash-${Math.random()}`
  const now = new Date()
  // as: she is registered.
  const user = await stores.users.find('žofie') as User
  const started = await stores.sessions.add({ idHash, user, authTime: now, amr: 'pwd', expiresAt: new Date(now.getTime() + 60_000) })
  if (!started) throw new Error('no session was started')
  return () => stores.sessions.find(idHash, now)
}
