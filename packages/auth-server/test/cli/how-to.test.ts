import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bin, folder, node, plain, run } from '../support/cli/frontdesk-auth.js'

const read = (page: string) => readFileSync(new URL(`../../../../../docs/${page}`, import.meta.url), 'utf8')
const text = read('how-to/register-apps-and-people.md')

/** Pages whose commands work one after the other, and what is there before. */
const PAGES: Array<[page: string, least: number, before: string[]]> = [
  ['how-to/register-apps-and-people.md', 15, []],
  ['how-to/bring-your-users.md', 9, []],
  ['how-to/leave-implicit.md', 4, ["client add shop-web --name 'Web shop' --callback https://shop.example/callback --grant implicit"]],
  ['how-to/keep-apps-in-a-file.md', 3, ["client add shop-web --name 'Web shop' --callback https://shop.example/callback --grant implicit"]],
  ['how-to/let-people-sign-up.md', 3, ['user add ann']],
  ['how-to/reset-a-password.md', 7, ['user add ann']],
  ['how-to/erase-a-person.md', 2, ['user add ann']],
  ['how-to/require-a-second-factor.md', 5, [
    'user add ann',
    "client add my-site --name 'My site' --callback https://my-site.example/callback", 'role add editor --scopes customer:write'
  ]],
  ['how-to/two-step-sign-in.md', 2, ['user add ann']],
  ['operations/audit.md', 4, ['user add ann']]
]

/** Files that the commands of a page read. */
function files (page: string): Array<[name: string, content: string]> {
  if (page !== 'how-to/bring-your-users.md') return []
  const [, csv = ''] = read(page).match(/^ *```csv\n(.*?)^ *```$/ms) ?? []
  const ids = ['2ff4b4d0-fd72-4c6e-9684-02ab337687c2', 'auth0|507f1f77bcf86cd799439020']
  return [
    ['people.csv', csv.replace(/^ +/gm, '')],
    ['acme-realm.json', JSON.stringify({ realm: 'acme', users: [{ id: ids[0], username: 'cy' }] })],
    ['users.ndjson', JSON.stringify({ user_id: ids[1], email: 'dora@example.com', email_verified: true })]
  ]
}

for (const [page, least, before] of PAGES) {
  t.test(`the commands of docs/${page} work, one after the other`, async t => {
    const cwd = folder(t)
    writeFileSync(join(cwd, 'ann.password'), 'correct horse\n')
    const blocks = [...read(page).matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent = '', block = '']) =>
      block.replaceAll(`\n${indent}`, '\n').trim()
    )
    const commands = blocks.flatMap(block => block.split(/(?<!\\)\n/))
    t.ok(commands.length >= least, `${commands.length} commands`)
    // What customer-service writes, as the page shows it.
    const lines = [...read(page).matchAll(/^```json\n(.*?)^```$/gms)].map(([, block = '']) => block)
    if (page === 'operations/audit.md') writeFileSync(join(cwd, 'customer-service.log'), lines.join(''))
    for (const [name, content] of files(page)) writeFileSync(join(cwd, name), content)
    // Those that name a database elsewhere would leave this folder.
    for (const command of [...before.map(it => `npx --no frontdesk-auth ${it}`), ...commands.filter(it => !it.startsWith('DATABASE_URL='))]) {
      const { status, stderr } = spawnSync('sh', ['-c', `npx () { shift 2; ${node} ${plain.join(' ')} '${bin}' "$@"; }\n${command}`], {
        cwd, input: 'correct horse\n', encoding: 'utf8', env: { PATH: process.env.PATH }
      })
      t.equal(status, 0, command)
      t.match(stderr, /^(Created a new database: .*\n)?(Warning: the link works only on this computer, .*\n)?$/)
    }
  })
}

t.test('it tells every option of client add, and no other', async t => {
  const options = (from: string) => [...from.matchAll(/--[a-z-]+/g)].map(([option]) => option)
  const told = new Set(options([...text.matchAll(/^\| `.*?` \|/gm)].join()))
  const known = new Set(
    options(run(['client', 'add', '--help']).stdout.split('Example')[0]!).filter(it => !['--json', '--help'].includes(it))
  )
  t.strictSame(told, known)
})
