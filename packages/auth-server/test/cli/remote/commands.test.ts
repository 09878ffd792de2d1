import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { PNG } from '../../support/admin/clients.js'
import { folder, type Run } from '../../support/cli/frontdesk-auth.js'
import { runLoaded } from '../../support/cli/loaded.js'
import { openServer } from '../../support/cli/remote.js'

const { env, issuer, laptop, login } = await openServer(t)
const logo = join(folder(t), 'logo.png')
writeFileSync(logo, Buffer.from(PNG.split(',')[1]!, 'base64'))
const people = folder(t)
t.match(await login(), { code: 0 })

/** Runs a command on the database, and over the API. */
const local = (args: readonly string[], input = '') => runLoaded(args, { env, input })
const remote = (args: readonly string[], input = '') => runLoaded([...args, '--server', issuer], { env: laptop, input })

/** Replaces what differs from run to run: names, times, ids and secrets, and who did it from where. */
const comparable = (text: string) => text
  .replace(/[01]-[lr]\b/g, '-X')
  .replace(/link=[\w.-]+/g, 'link=LINK')
  .replace(/state=[\w-]+/g, 'state=STATE')
  .replace(/("source": )"[^"]*"/g, '$1"SOURCE"')
  .replace(/("by": )"[^"]*"/g, '$1"BY"')
  .replace(/("requestId": )[^,]*/g, '$1null')
  .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d{3})?Z/g, 'TIME')
  .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
  .replace(/(?:[B-Z]{4}-){3}[B-Z]{4}/g, 'CODE')
  .replace(/[\w-]{43}/g, 'SECRET')
  .replace(/\b[0-9a-f]{8}\b/g, 'TOKEN')

/** A file with users of its own. */
function writePeople (suffix: string): string {
  const file = join(people, `${suffix}.csv`)
  writeFileSync(file, `username,email,email_verified,roles,shoe size\nina-${suffix},,,editor,38\nina-${suffix}@example.com,ina-${suffix}@example.com,yes,,\n`)
  return file
}

/** Commands, in the order in which they run: once on things whose names end in -l, once over the API on those in -r. */
const rows: ReadonlyArray<readonly [args: string, input?: string, only?: 'text']> = [
  ['user add ann-X --name Ann --email ann@example.com --email-verified yes --role auditor', 'correct horse\n'],
  ['user add bea-X', 'correct horse\n'],
  ['user add bea-X', 'correct horse\n'],
  ['user add cas-X', 'short\n'],
  ['user import PEOPLE --dry-run'],
  ['user import PEOPLE'],
  ['user import PEOPLE --trust-emails'],
  ['user list --search ann-X'],
  ['user list --search unknown-user'],
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
  ['user sessions root'],
  ['user show root'],
  ['user revoke ann-X frontdesk-auth'],
  ['user revoke ann-X zzzzzzzzzz'],
  ['user failed-sign-ins ann-X'],
  ['user unlock ann-X'],
  ['user factor-link ann-X'],
  ['user factor-link zzzzzzzzzz'],
  ['user remove-factors ann-X'],
  ['user remove-factors zzzzzzzzzz'],
  ['user disconnect ann-X'],
  ['user disconnect zzzzzzzzzz'],
  ['user disable bob-X'],
  ['user reset-link bob-X'],
  ['user factor-link bob-X'],
  ['user enable bob-X'],
  ['user reset-link bob-X'],
  ['user invite cas-X --email cas@example.com --role support'],
  ['user factor-link cas-X'],
  ['user export bob-X'],
  ['user remove bob-X'],
  ['user remove bob-X --yes'],
  ['role add role-X --scopes one-X'],
  ['role add role-X --scopes one-X'],
  ['role add administrator --scopes two'],
  ['role list'],
  ['role change role-X --add-scope two-X'],
  ['role change role-X --remove-scope three'],
  ['role change role-X'],
  ['role change role-X --scopes two-X'],
  ['role remove role-X'],
  ['role remove role-X --yes'],
  ['role change zzzzzzzzzz --add-scope two'],
  ['client add shop-X --name Shop --callback https://shop.example/cb --confidential'],
  ['client add shop-X --name Shop --callback https://shop.example/cb'],
  ['client add bad-X --name Shop --callback http://shop.example/cb'],
  ['client add lib-X --name Library --callback https://lib.example/cb --for openid-client', '', 'text'],
  ['client list'],
  ['client show shop-X'],
  ['client show lib-X --for openid-client', '', 'text'],
  ['client show zzzzzzzzzz'],
  ['client update shop-X --add-callback https://shop.example/new --default-scope customer:read --subject-type pairwise --sector-identifier shop.example'],
  ['client update shop-X --remove-callback https://shop.example/none'],
  ['client update shop-X --add-sign-in-role staff-X --add-sign-in-role auditor'],
  ['client update shop-X --logo LOGO'],
  ['client show shop-X'],
  ['client update shop-X'],
  ['client update shop-X --implicit yesterday'],
  ['client implicit shop-X until 2099-01-31 --code'],
  ['client implicit shop-X sometimes'],
  ['client disable shop-X'],
  ['client enable shop-X'],
  ['client revoke shop-X'],
  ['client adopt shop-X'],
  ['client people shop-X'],
  ['client people zzzzzzzzzz'],
  ['client secret add shop-X'],
  ['client secret add shop-X'],
  ['client secret list shop-X'],
  ['client secret remove shop-X 1'],
  ['client secret remove shop-X 1'],
  ['client secret remove shop-X 2'],
  ['client remove shop-X'],
  ['client remove shop-X --yes'],
  ['registration token --uses 2 --days 1 --grant client_credentials'],
  ['registration token --grant none'],
  ['registration remove 00000000'],
  ['sign-up code --label Partners --uses 2 --days 1'],
  ['sign-up code --role administrator'],
  ['sign-up list'],
  ['sign-up remove 00000000'],
  ['audit list --event sign-in'],
  ['audit list --until 2020-01-01T00:00Z'],
  ['audit list --since 2020-01-01T00:00Z --limit 450'],
  ['audit list --event none'],
  ['audit list --user zzzzzzzzzz'],
  ['audit verify'],
  ['audit verify --after 1'],
  ['keys list'],
  ['keys rotate'],
  ['keys rotate --signs-in 60'],
  ['keys retire none --yes']
]

t.test('each command with an API has the same text and the same JSON over it', async t => {
  for (const [text, input, only] of rows) {
    for (const more of only === 'text' ? [[]] : [[], ['--json']]) {
      const [here, there] = ['l', 'r'].map(suffix => {
        const args = [...text.replaceAll('-X', `${more.length}-${suffix}`).split(' ').map(it => it === 'LOGO' ? logo : it === 'PEOPLE' ? writePeople(`${more.length}-${suffix}`) : it), ...more]
        const { code, stdout, stderr } = suffix === 'l' ? local(args, input) : remote(args, input)
        const shown = comparable(stdout)
        return { code, stdout: more.length > 0 && code === 0 ? JSON.parse(shown) : shown, stderr: comparable(stderr) }
      })
      t.same(there, here, `${text} ${more.join('')}`)
      // Commands run synchronously: unread, the server's log would fill its pipe, and stop it.
      await setImmediate()
    }
  }
})

t.test('a key is retired over the API as on the database, and a registration token removed', async t => {
  const keys: Array<{ kid: string, state: string }> = JSON.parse(local(['keys', 'list', '--json']).stdout)
  const [first = '', second = ''] = keys.filter(({ state }) => state === 'announced').map(({ kid }) => kid)
  for (const args of [['--yes'], ['--yes'], []]) {
    const shown = (kid: string, { code, stdout, stderr }: Run) => [code, comparable(stdout.replace(kid, 'KID')), stderr.replace(kid, 'KID')]
    t.same(shown(second, remote(['keys', 'retire', second, ...args])), shown(first, local(['keys', 'retire', first, ...args])), args.join(' '))
  }

  const { id } = JSON.parse(remote(['registration', 'token', '--json']).stdout)
  t.same(remote(['registration', 'list']), local(['registration', 'list']))
  t.match(remote(['registration', 'remove', id]), { code: 0, stdout: `Removed the token ${id}.\n` })
  t.notMatch(local(['registration', 'list']).stdout, id)
})

t.test('settings over the API are those of the server', async t => {
  t.match(remote(['settings']).stdout, /^ADMIN\s+true\s+environment$/m)
})
