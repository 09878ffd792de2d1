import t from 'tap'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

const PASSWORD = 'correct horse'
const NONE = { name: null, givenName: null, familyName: null, email: null, emailVerified: false, locale: null, picture: null }
const ALL = {
  name: 'Ann Example',
  givenName: 'Ann',
  familyName: 'Example',
  email: 'ann@example.com',
  emailVerified: true,
  locale: 'pt-BR',
  picture: 'https://ann.example/a.png'
}
const OPTIONS = [
  '--name', 'Ann Example', '--given-name', 'Ann', '--family-name', 'Example', '--email', 'ann@example.com', '--email-verified', 'yes',
  '--locale', 'pt-br', '--picture', 'https://ann.example/a.png'
]

t.test('a person is registered with attributes, or without', async t => {
  const { cli, stores } = await onDatabase(t)
  t.match(JSON.parse(cli(['user', 'add', 'ann', ...OPTIONS, '--json'], PASSWORD).stdout), { username: 'ann', ...ALL })
  t.match(JSON.parse(cli(['user', 'add', 'bob', '--json'], PASSWORD).stdout), { username: 'bob', ...NONE })
  t.match(await stores.profiles.findAny('ann'), ALL)
  const { stdout } = cli(['user', 'show', 'ann'])
  for (const line of [
    /^Name +"Ann Example"$/m, /^Given name +"Ann"$/m, /^Family name +"Example"$/m, /^Email address +"ann@example.com" \(verified\)$/m,
    /^Language +"pt-BR"$/m, /^Picture +"https:\/\/ann\.example\/a\.png"$/m
  ]) t.match(stdout, line)
  t.notMatch(cli(['user', 'show', 'bob']).stdout, /^(Name|Email|Language)/m)
  t.match(JSON.parse(cli(['user', 'show', 'ann', '--json']).stdout), { ...ALL, sessions: 0, clients: [] })
  t.notMatch(cli(['user', 'list']).stdout, 'example.com', 'the table has no attributes')
  t.match(JSON.parse(cli(['user', 'list', '--json']).stdout), [ALL, NONE], 'the JSON has all')
})

t.test('an update changes what it names, an empty value removes, and a changed email address is not verified', async t => {
  const { cli, stores } = await onDatabase(t)
  cli(['user', 'add', 'Ann', ...OPTIONS], PASSWORD)
  t.strictSame(cli(['user', 'update', 'ann', '--given-name', '', '--locale', 'de']), { code: 0, stdout: 'Changed "Ann".\n', stderr: '' })
  t.match(await stores.profiles.findAny('ann'), { ...ALL, givenName: null, locale: 'de' })
  t.match(JSON.parse(cli(['user', 'update', 'ann', '--email', 'a@b', '--json']).stdout), { email: 'a@b', emailVerified: false })
  t.match(JSON.parse(cli(['user', 'update', 'ann', '--email', 'a@b', '--email-verified', 'yes', '--json']).stdout), { email: 'a@b', emailVerified: true })
  t.match(cli(['user', 'show', 'ann']).stdout, '"a@b" (verified)')
  t.match(JSON.parse(cli(['user', 'update', 'ann', '--email', '', '--json']).stdout), { email: null, emailVerified: false })
  cli(['user', 'disable', 'ann'])
  t.equal(cli(['user', 'update', 'ann', '--name', 'A']).code, 0, 'also of a disabled person')
})

t.test('the audit trail has the names of changed attributes, never their values', async t => {
  const { cli, stores } = await onDatabase(t)
  cli(['user', 'add', 'ann', ...OPTIONS], PASSWORD)
  cli(['user', 'update', 'ann', '--email', 'secret@example.com', '--family-name', 'Secret'])
  const rows = await stores.audit.list({}, 10)
  t.match(rows, [
    { event: 'user update', outcome: 'done', userId: /-/, details: { attributes: ['familyName', 'email'] } },
    { event: 'user add' }
  ])
  t.notMatch(JSON.stringify(rows), /secret|example/i)
})

t.test('values that are not valid are all named, and nothing is changed', async t => {
  const { cli, stores } = await onDatabase(t)
  const wrong = ['--name', 'a\tb', '--email', 'ann', '--locale', 'de_DE', '--picture', 'http://x']
  const sentences = 'The name contains a control character.\n' +
    'The email address must have the form ann@example.com, without spaces and quotes.\n' +
    'The language must be a language tag (BCP 47), such as en or pt-BR.\n' +
    'The picture must be an absolute https address.\n'
  t.strictSame(cli(['user', 'add', 'ann', ...wrong], PASSWORD), { code: 1, stdout: '', stderr: sentences })
  t.strictSame(await stores.users.list(), [])
  const unverifiable = { code: 1, stdout: '', stderr: 'Which email address is verified? Add --email.\n' }
  t.strictSame(cli(['user', 'add', 'ann', '--email-verified', 'yes'], PASSWORD), unverifiable)
  cli(['user', 'add', 'ann'], PASSWORD)
  t.strictSame(cli(['user', 'update', 'ann', '--given-name', 'Ann', ...wrong]), { code: 1, stdout: '', stderr: sentences })
  t.strictSame(cli(['user', 'update', 'ann', '--name', 'Ann', '--email-verified', 'yes']), unverifiable)
  t.strictSame(cli(['user', 'update', 'ann', '--email', '', '--email-verified', 'yes']), unverifiable)
  t.match(await stores.profiles.findAny('ann'), NONE)
  t.match(await stores.audit.list({ event: 'user update' }, 10), [])
  t.strictSame(cli(['user', 'update', 'anne', '--name', 'Ann']), {
    code: 1, stdout: '', stderr: 'No user has the user name "anne". Did you mean "ann"? To see all: frontdesk-auth user list\n'
  })
})
