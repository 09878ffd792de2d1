import { mkdirSync } from 'node:fs'
import t from 'tap'
import { runLoaded } from '../../support/cli/loaded.js'
import { openServer } from '../../support/cli/remote.js'

const { env, issuer, laptop, login } = await openServer(t)
mkdirSync(laptop.XDG_CONFIG_HOME, { recursive: true })
t.match(await login(), { code: 0 })

/** Runs a command on the database, and over the API. */
const local = (args: readonly string[], input = '') => runLoaded(args, { env, input })
const remote = (args: readonly string[], input = '') => runLoaded([...args, '--server', issuer], { env: laptop, input })

/** Replaces what differs from run to run: names, times, ids and secrets, and who did it from where. */
const comparable = (text: string) => text
  .replace(/[01]-[lr]\b/g, '-X')
  .replace(/link=[\w.-]+/g, 'link=LINK')
  .replace(/("source": )"[^"]*"/g, '$1"SOURCE"')
  .replace(/("by": )"[^"]*"/g, '$1"BY"')
  .replace(/("requestId": )[^,]*/g, '$1null')
  .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d{3})?Z/g, 'TIME')
  .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
  .replace(/[\w-]{43}/g, 'SECRET')
  .replace(/\b[0-9a-f]{8}\b/g, 'TOKEN')

/** Commands, in the order in which they run: once on things whose names end in -l, once over the API on those in -r. */
const rows: ReadonlyArray<readonly [args: string, input?: string]> = [
  ['user add ann-X --name Ann --email ann@example.com --email-verified yes --role auditor', 'correct horse\n'],
  ['user add bea-X', 'correct horse\n'],
  ['user add bea-X', 'correct horse\n'],
  ['user add cas-X', 'short\n'],
  ['user list --search ann-X'],
  ['user list --search nobody'],
  ['user list --limit 1 --after ann'],
  ['user show ann-X'],
  ['user show zzzzzzzzzz'],
  ['user update ann-X --given-name Ann --add-role support --remove-role auditor'],
  ['user update ann-X --remove-role auditor'],
  ['user update ann-X --roles support'],
  ['user update ann-X'],
  ['user rename bea-X bob-X'],
  ['user rename bob-X ann-X'],
  ['user sign-out ann-X'],
  ['user sessions ann-X'],
  ['user end-session ann-X none'],
  ['user failed-sign-ins ann-X'],
  ['user unlock ann-X'],
  ['user disable bob-X'],
  ['user reset-link bob-X'],
  ['user enable bob-X'],
  ['user reset-link bob-X'],
  ['user invite cas-X --email cas@example.com --role support'],
  ['user export bob-X'],
  ['user remove bob-X'],
  ['user remove bob-X --yes'],
  ['keys list'],
  ['keys rotate'],
  ['keys rotate --signs-in 60'],
  ['keys retire none --yes']
]

t.test('each command with an API has the same text and the same JSON over it', async t => {
  for (const [text, input] of rows) {
    for (const more of [[], ['--json']]) {
      const [here, there] = ['l', 'r'].map(suffix => {
        const args = [...text.replaceAll('-X', `${more.length}-${suffix}`).split(' '), ...more]
        const { code, stdout, stderr } = suffix === 'l' ? local(args, input) : remote(args, input)
        const shown = comparable(stdout)
        return { code, stdout: more.length > 0 && code === 0 ? JSON.parse(shown) : shown, stderr: comparable(stderr) }
      })
      t.same(there, here, `${text} ${more.join('')}`)
    }
  }
})
