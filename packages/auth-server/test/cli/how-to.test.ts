import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bin, folder, node, plain, run } from './frontdesk-auth.js'

const text = readFileSync(new URL('../../../../../docs/how-to/register-apps-and-people.md', import.meta.url), 'utf8')

t.test('the commands of docs/how-to/register-apps-and-people.md work, one after the other', async t => {
  const cwd = folder(t)
  writeFileSync(join(cwd, 'ann.password'), 'correct horse\n')
  const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) => block.trimEnd().split(/(?<!\\)\n/))
  t.ok(commands.length > 12, `${commands.length} commands`)
  // Those that name a database elsewhere would leave this folder.
  for (const command of commands.filter(it => !it.startsWith('DATABASE_URL='))) {
    const { status, stderr } = spawnSync('sh', ['-c', `npx () { shift; ${node} ${plain.join(' ')} '${bin}' "$@"; }\n${command}`], {
      cwd, input: 'correct horse\n', encoding: 'utf8', env: { PATH: process.env.PATH }
    })
    t.equal(status, 0, command)
    t.match(stderr, /^(Made a new database: .*\n)?$/)
  }
})

t.test('it tells every option of client add, and no other', async t => {
  const options = (from: string) => [...from.matchAll(/--[a-z-]+/g)].map(([option]) => option)
  const told = new Set(options([...text.matchAll(/^\| `.*?` \|/gm)].join()))
  const known = new Set(options(run(['client', 'add', '--help']).stdout.split('Example')[0]!).filter(it => !['--json', '--help'].includes(it)))
  t.strictSame(told, known)
})
