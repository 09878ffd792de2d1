import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Input } from '../../src/cli/option.js'

const program = fileURLToPath(new URL('program.js', import.meta.url))

function run (...args: string[]) {
  const { status: code, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  return { code, stdout, stderr }
}

t.test('a command prints its value for people, or all of it as JSON', t => {
  t.same(run('pet', 'add', 'rex'), { code: 0, stdout: 'Added rex, 1 leg.\n', stderr: '' })
  t.same(run('pet', 'add', 'rex', '--legs', '4', '--tag', 'a', '--tag', 'b', '--json'), {
    code: 0, stdout: `${JSON.stringify({ petName: 'rex', legs: 4, tag: ['a', 'b'] }, null, 2)}\n`, stderr: 'Adding rex.\n'
  })
  t.same(run('pet', 'add', 'rex', '--loud'), { code: 4, stdout: 'Adding rex.\nAdded rex, 1 leg.\n', stderr: 'It barks.\n' })
  t.end()
})

t.test('exit codes: 1 for what is refused and for what fails, 2 for wrong usage', t => {
  t.same(run('pet', 'add', 'tom'), { code: 1, stdout: '', stderr: 'No cats.\n' })
  t.same(run('pet', 'add', 'taken'), { code: 1, stdout: '', stderr: 'Explained: taken\n' })
  t.same(run('pet', 'add', 'bug'), { code: 1, stdout: '', stderr: 'pets failed: a bug\n' })
  t.same(run('pet', 'add', 'rex', '--legs', '9'), {
    code: 2,
    stdout: '',
    stderr: "error: option '--legs <number>' argument '9' is invalid. Give a whole number from 1 to 8.\nAdd --help to see the usage.\n"
  })
  t.same(run('pet', 'add', ''), { code: 2, stdout: '', stderr: 'error: name the pet\nAdd --help to see the usage.\n' })
  t.match(run('pet'), { code: 2, stdout: '', stderr: /^Usage: pets pet/ })
  t.match(run('--version'), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ })
  t.end()
})

t.test('an argument that begins with a hyphen is told from an option by --', t => {
  t.match(run('pet', 'add', '-dash9'), { code: 2, stderr: /unknown option '-dash9'\n.*\nIf this is an argument, put -- before it\.\n$/ })
  t.notMatch(run('pet', 'add', '--dash9'), { stderr: 'If this' })
  t.same(run('pet', 'add', '--', '-dash9'), { code: 0, stdout: 'Added -dash9, 1 leg.\n', stderr: '' })
  t.match(run('pet', 'add', '-9'), { code: 0, stdout: 'Added -9, 1 leg.\n' })
  t.end()
})

t.test('the types of arguments and options follow from the table', t => {
  type Expected = {
    readonly petName: string
    readonly newName?: string
    readonly legs: number
    readonly size: 's' | 'l'
    readonly tag?: readonly string[]
    readonly loud?: true
    readonly owner?: string | true
    readonly json?: true
  }
  type Given = Input<'rename <pet_name> [new_name]', {
    '--legs <number>': { says: '', parse: (text: string) => number, default: 1 }
    '--size <size>': { says: '', choices: readonly ['s', 'l'], required: true }
    '-t, --tag <tag>': { says: '', repeatable: true }
    '--loud': ''
    '--owner [name]': ''
  }>
  const given: Given = { petName: 'rex', legs: 1, size: 's' }
  const expected: Expected = given
  const back: Given = expected
  t.equal(back, given)
  // @ts-expect-error: not one of the choices
  const wrong: Given = { petName: 'rex', legs: 1, size: 'm' }
  t.ok(wrong)
  t.end()
})
