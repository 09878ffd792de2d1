import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder, run } from '../support/cli/frontdesk-auth.js'
import { runLoaded } from '../support/cli/loaded.js'

t.test('the help of the program says where the data is, and what exit codes mean', t => {
  const { code, stdout } = runLoaded(['--help'])
  t.equal(code, 0)
  t.match(stdout, 'DATABASE_URL')
  t.match(stdout, 'Exit codes: 0 done, 1 refused, 2 wrong usage; of doctor, 3 warnings only.')
  t.end()
})

t.test('--version is that of the package', async t => {
  // as: npm's format.
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
  t.strictSame(run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

t.test('wrong usage ends with 2, a sentence and nothing done', async t => {
  const callback = ['--callback', 'https://app.example/cb']
  const rows: Array<[args: string[], sentence: string]> = [
    [[], 'Usage: frontdesk-auth'],
    [['client'], 'Usage: frontdesk-auth client'],
    [['clint'], "unknown command 'clint'\n(Did you mean client?)"],
    [['client', 'lost'], "unknown command 'lost'"],
    [['client', 'list', '--jsn'], "unknown option '--jsn'\n(Did you mean --json?)"],
    [['client', 'list', 'x'], "too many arguments for 'list'"],
    [['client', 'show'], "missing required argument 'client_id'"],
    [['client', 'add', '--name', 'X', ...callback], "missing required argument 'client_id'"],
    [['client', 'add', 'x', ...callback], "required option '--name <text>' not specified"],
    [['client', 'add', 'x', '--name', 'X'], "required option '--callback <uri>' not specified"],
    [['client', 'add', 'x', '--name', 'X', '--callback'], "option '--callback <uri>' argument missing"],
    [['client', 'add', 'x', '--name', 'X', ...callback, 'https://app.example/second'], "too many arguments for 'add'"],
    [['client', 'update', 'x'], 'name at least one option to change'],
    [['user', 'add'], "missing required argument 'username'"],
    [['user', 'add', 'ann', 'correct horse'], "too many arguments for 'add'"],
    [['user', 'update'], "missing required argument 'username'"],
    [['user', 'update', 'ann'], 'name at least one option to change'],
    [['user', 'update', 'ann', '--email'], "option '--email <address>' argument missing"],
    [['user', 'update', 'ann', '--email-verified', 'maybe'], 'Allowed choices are yes, no.'],
    [['user', 'passwd', 'ann', '--password', 'correct horse'], "unknown option '--password'"]
  ]
  const cwd = folder(t)
  for (const [args, sentence] of rows) {
    const { code, stdout, stderr } = runLoaded(args, { env: { DATA_DIR: join(cwd, 'data') } })
    t.equal(code, 2, `frontdesk-auth ${args.join(' ')}`)
    t.equal(stdout, '')
    t.match(stderr, sentence)
    t.notMatch(stderr, /^ +at /m, 'no stack')
    t.notMatch(stderr, 'correct horse', 'a password given in error is not repeated')
  }
  t.notOk(existsSync(join(cwd, 'data')), 'no database was made')
})
