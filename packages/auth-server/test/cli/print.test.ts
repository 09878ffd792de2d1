import t from 'tap'
import { didYouMean } from '../../src/cli/nearest.js'
import { list } from '../../src/cli/print.js'
import { client } from '../helper.js'
import { atTerminal, hasTerminal, onDatabase, run } from './frontdesk-auth.js'

t.test('a command that finds nothing suggests near ids', async t => {
  const { cli, stores } = await onDatabase(t)
  for (const id of ['shop-web', 'shop-app', 'billing']) await stores.clients.put(client({ id }))
  await stores.users.add({ id: 'u', username: 'Zoë', passwordHash: '', demo: false })
  const rows: Array<[args: string[], sentence: string]> = [
    [['client', 'show', 'shop-wbe'], 'No app has the client_id "shop-wbe". Did you mean "shop-web" or "shop-app"? To see all: '],
    [['client', 'show', 'SHOP'], 'Did you mean "shop-app" or "shop-web"?'],
    [['client', 'disable', 'bilings'], 'Did you mean "billing"?'],
    [['client', 'remove', 'bilings', '--yes'], 'Did you mean "billing"?'],
    [['client', 'secret', 'list', 'bilings'], 'Did you mean "billing"?'],
    [['client', 'implicit', 'bilings', 'off'], 'Did you mean "billing"?'],
    [['user', 'disable', 'zoe'], 'No person has the user name "zoe". Did you mean "Zoë"? To see all: '],
    [['client', 'show', 'warehouse'], 'No app has the client_id "warehouse". To see all: ']
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

t.test('columns for which 80 are too few continue on a second line', t => {
  const rows = [['a'.repeat(40), 'b'.repeat(30), 'c'.repeat(20), 'd'], ['a', 'b', 'c', 'e'.repeat(10)]]
  t.equal(list(['ONE', 'TWO', 'THREE', 'FOUR'], rows), [
    `${'ONE'.padEnd(40)}  TWO`, `  ${'THREE'.padEnd(20)}  FOUR`,
    `${'a'.repeat(40)}  ${'b'.repeat(30)}`, `  ${'c'.repeat(20)}  d`,
    `${'a'.padEnd(40)}  b`, `  ${'c'.padEnd(20)}  ${'e'.repeat(10)}`
  ].join('\n'))
  t.end()
})

t.test('every list fits 80 columns, with the longest ids', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.clients.put(client({ id: 'i'.repeat(78), name: 'n'.repeat(78) }))
  await stores.users.add({ id: '5b1f2c7e-0000-4000-8000-000000000000', username: 'u'.repeat(78), passwordHash: '', demo: true })
  for (const args of [
    ['client', 'list'],
    ['user', 'list']
  ]) {
    t.notOk(
      cli(args)
        .stdout.split('\n')
        .find(line => line.length > 80),
      args.join(' ')
    )
  }
})

const BOLD = '\u001b[1m'

t.test(
  'colour is for terminals; NO_COLOR turns it off and FORCE_COLOR on',
  { skip: hasTerminal ? false : 'There is no `script` of util-linux. On Debian: apt-get install bsdutils' },
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
