import t from 'tap'
import { didYouMean } from '@frontdesk/service-kit/nearest'
import { client } from '../support/helper.js'
import { atTerminal, hasTerminal, onDatabase, run } from '../support/cli/frontdesk-auth.js'

t.test('a command that finds nothing suggests near ids', async t => {
  const { cli, stores } = await onDatabase(t)
  for (const id of ['shop-web', 'shop-app', 'billing']) await stores.clients.put(client({ id }))
  await stores.users.add({ id: 'u', username: 'Zoë', passwordHash: '', demo: false })
  const rows: Array<[args: string[], sentence: string]> = [
    [['client', 'show', 'shop-wbe'], 'No client has the client_id "shop-wbe". Did you mean "shop-web" or "shop-app"? To see all: '],
    [['client', 'show', 'SHOP'], 'Did you mean "shop-app" or "shop-web"?'],
    [['client', 'disable', 'bilings'], 'Did you mean "billing"?'],
    [['client', 'remove', 'bilings', '--yes'], 'Did you mean "billing"?'],
    [['client', 'secret', 'list', 'bilings'], 'Did you mean "billing"?'],
    [['client', 'implicit', 'bilings', 'off'], 'Did you mean "billing"?'],
    [['user', 'disable', 'zoe'], 'No user has the user name "zoe". Did you mean "Zoë"? To see all: '],
    [['client', 'show', 'warehouse'], 'No client has the client_id "warehouse". To see all: ']
  ]
  for (const [args, sentence] of rows) {
    const { code, stderr } = cli(args)
    t.equal(code, 1, args.join(' '))
    t.ok(stderr.includes(sentence), stderr)
  }
})

t.test('a suggestion is near, and at most three are made', t => {
  t.equal(didYouMean('ab', ['xy', 'ac']), ' Did you mean "ac"?')
  t.equal(didYouMean('a', ['b', 'cd']), ' Did you mean "b"?')
  t.equal(didYouMean('callback', ['callbacks', 'name']), ' Did you mean "callbacks"?')
  t.equal(didYouMean('abcdef', ['abcdef1', 'abcdef2', 'abcdef3', 'abcdef4']), ' Did you mean "abcdef1" or "abcdef2" or "abcdef3"?')
  t.equal(didYouMean('x'.repeat(101), ['x'.repeat(100)]), '')
  t.equal(didYouMean('b\u202E', ['a\u202E']), ' Did you mean "a\\u202e"?', 'shown as it is safe')
  t.end()
})

/** The columns of a line: Han characters take two. */
const widthOf = (line: string) => line.replace(/\p{Script=Han}/gu, 'xx').length

const TERMINAL = { skip: hasTerminal ? false : 'There is no `script` of util-linux. On Debian: apt-get install bsdutils' }

t.test('every table fits the terminal, with the longest values', TERMINAL, async t => {
  const { env, stores } = await onDatabase(t)
  const long = 'https://shop.example/'.padEnd(300, 'callback/')
  const app = client({ id: 'i'.repeat(100), name: 'n'.repeat(100), callbacks: [long], resources: [long], backchannelLogoutUri: long })
  await stores.clients.put({ ...app, tokenEndpointAuthMethod: 'client_secret_basic', pkce: 'optional', defaultScope: 'scope '.repeat(40).trim() })
  await stores.users.add({ id: '5b1f2c7e-0000-4000-8000-000000000000', username: '佐'.repeat(100), passwordHash: '', demo: true, name: '佐'.repeat(100) })
  await stores.roles.add('r'.repeat(100), Array.from({ length: 20 }, (_, number) => `scope:${number}`))
  for (const columns of [80, 120]) {
    for (const args of [`client show ${app.id}`, 'client list', 'user list', `user show ${'佐'.repeat(100)}`, 'role list', 'report implicit', 'doctor']) {
      const { code, screen } = await atTerminal(args, { ...env, TERM: 'xterm', NO_COLOR: '1' }, [], '/dev/tty', columns)
      // What is wrong here is that no server runs.
      t.equal(code, args === 'doctor' ? 3 : 0, args)
      t.strictSame(screen.split('\r\n').filter(line => widthOf(line) > columns), [], `${args}, ${columns} columns`)
    }
  }
})

const BOLD = '\u001b[1m'

t.test(
  'colour is for terminals; NO_COLOR turns it off and FORCE_COLOR on',
  TERMINAL,
  async t => {
    const { env, stores } = await onDatabase(t)
    await stores.clients.put(client())
    t.notMatch(run(['client', 'list'], { env }).stdout, '\u001b')
    t.match(run(['client', 'list'], { env: { ...env, FORCE_COLOR: '1' } }).stdout, `${BOLD}CLIENT ID`)
    const onScreen = async (more: Record<string, string>) =>
      (await atTerminal('client show app', { ...env, TERM: 'xterm', ...more }, [], '/dev/tty')).screen
    t.ok((await onScreen({})).includes(`${BOLD}Client ID`))
    t.notMatch(await onScreen({ NO_COLOR: '1' }), '\u001b')
  }
)
