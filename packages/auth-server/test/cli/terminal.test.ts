import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { hashPassword, verifyPassword } from '../../src/sign-in/password.js'
import { atTerminal, folder, hasTerminal, onDatabase, type Answer } from '../support/cli/frontdesk-auth.js'

const skip = hasTerminal ? false : 'There is no `script` of util-linux. On Debian: apt-get install bsdutils'
const CTRL_C = '\x03'
const CTRL_D = '\x04'
const CTRL_U = '\x15'

t.test('a password at the prompt: asked twice, never shown, asked again if it breaks a rule', { skip }, async t => {
  const { env, stores } = await onDatabase(t)
  const out = join(folder(t), 'out')
  const { code, screen } = await atTerminal('user add ann --json', env, [
    ['New password for "ann":', 'short\r'],
    ['The password is too short: at least 8 characters.', `${CTRL_U}correct horse\r`],
    ['Repeat the password:', 'correct horse\r']
  ], out)
  t.equal(code, 0)
  t.notMatch(screen, /short\b(?!:)|horse/)
  t.match(JSON.parse(readFileSync(out, 'utf8')), { username: 'ann' }, 'standard output holds the result alone')
  t.ok(await verifyPassword((await stores.users.find('ann'))?.passwordHash, 'correct horse'))
})

t.test('leaving the prompt, or typing two passwords, changes nothing', { skip }, async t => {
  const { env, stores } = await onDatabase(t)
  await stores.users.add({ id: 'u', username: 'ann', passwordHash: await hashPassword('battery staple'), demo: false })
  const first = ['New password for "ann":', 'correct horse\r'] as const
  const rows: Array<[name: string, sentence: string, answers: Answer[]]> = [
    ['two passwords', 'The two passwords differ. Nothing was changed.', [first, ['Repeat the password:', 'correct house\r']]],
    ['Ctrl-C', 'Nothing was changed.', [['New password', CTRL_C]]],
    ['Ctrl-D', 'Nothing was changed.', [['New password', CTRL_D]]],
    ['Ctrl-D the second time', 'Nothing was changed.', [first, ['Repeat the password:', CTRL_D]]]
  ]
  for (const [name, sentence, answers] of rows) {
    const { code, screen } = await atTerminal('user passwd ann', env, answers)
    t.equal(code, 1, name)
    t.match(screen, sentence)
    t.notMatch(screen, /^ +at /m, 'no stack')
  }
  t.ok(await verifyPassword((await stores.users.find('ann'))?.passwordHash, 'battery staple'))
})

t.test('client remove asks first', { skip }, async t => {
  const { env, stores } = await onDatabase(t)
  await stores.clients.put({
    id: 'shop',
    name: 'Web shop',
    callbacks: [],
    resources: [],
    defaultScope: '',
    accessTokenTtl: null,
    implicit: 'allowed',
    demo: false
  })
  const question = 'Permanently remove the client "shop" (Web shop)? [y/N] '
  for (const answer of ['n\r', CTRL_D]) {
    const { code, screen } = await atTerminal('client remove shop', env, [[question, answer]])
    t.equal(code, 1, JSON.stringify(answer))
    t.match(screen, 'Nothing was changed.')
  }
  t.not((await atTerminal('client remove shop', env, [[question, CTRL_C]])).code, 0, 'Ctrl-C')
  t.ok(await stores.clients.find('shop'))
  t.equal((await atTerminal('client remove shop', env, [[question, 'Y\r']])).code, 0)
  t.equal(await stores.clients.find('shop'), null)
})

t.test('apply --prune asks first', { skip }, async t => {
  const { env, stores } = await onDatabase(t)
  for (const id of ['keep', 'old', 'older']) {
    await stores.clients.put({
      id,
      name: id,
      callbacks: [],
      resources: [],
      defaultScope: '',
      accessTokenTtl: null,
      implicit: 'off',
      demo: false
    })
  }
  const file = join(folder(t), 'clients.json')
  writeFileSync(file, JSON.stringify({ clients: [{ clientId: 'keep', name: 'keep', implicit: 'off' }] }))
  const question = 'Remove 2 clients: old, older permanently? [y/N] '
  for (const answer of ['n\r', CTRL_D]) {
    const { code, screen } = await atTerminal(`apply -f ${file} --prune`, env, [[question, answer]])
    t.equal(code, 1, JSON.stringify(answer))
    t.match(screen, 'Nothing was changed.')
  }
  t.equal((await stores.clients.list()).length, 3)
  t.equal((await atTerminal(`apply -f ${file} --prune`, env, [[question, 'y\r']])).code, 0)
  t.same((await stores.clients.list()).map(({ id }) => id), ['keep'])
  writeFileSync(file, '{"clients":[]}')
  const { code, screen } = await atTerminal(`apply -f ${file} --prune`, env, [])
  t.equal(code, 1)
  t.match(screen, 'This would remove every registered client (1).', 'not even asked')
})
