import t from 'tap'
import { Clone } from '../support/runner/clone.js'

const TAP = "import t from 'tap'\n"
const PASSES = `${TAP}t.test('it passes', async t => t.pass())\n`
const WAIT = 'await new Promise(resolve => setTimeout(resolve, 300))\n'

type Row = [name: string, text: string, counts: [passed: number, failed: number, skipped?: number], says?: RegExp]

/** What a test file does, how many of its tests pass, fail and are skipped, and a piece of what the run prints. */
const ROWS: Row[] = [
  ['passes', PASSES, [1, 0]],
  ['fails an assertion', `${TAP}t.test('it fails', async t => t.equal(1, 2))`, [0, 1], /FAILED .* it fails › should be equal/],
  [
    'fails an assertion in a test of a test',
    `${TAP}t.test('outer', async t => { await t.test('a', async t => t.pass()); await t.test('b', async t => t.fail('wrong')) })`,
    [1, 1],
    /FAILED .* outer › b › wrong/
  ],
  ['sets an exit code', `${PASSES}process.on('exit', () => { process.exitCode = 3 })`, [1, 1], /exitCode: 3/],
  ['fails and exits with 0', `${TAP}t.test('a', async t => t.fail())\nprocess.on('exit', () => process.reallyExit(0))`, [0, 1]],
  [
    'exits with 0 before its tests end',
    `${TAP}await t.test('a', async t => t.pass())\n${WAIT}process.reallyExit(0)\nt.test('b', async t => t.pass())`,
    [1, 1],
    /exitCode: 0/
  ],
  ['throws before its tests', "throw new Error('broken')", [0, 1], /broken/],
  ['does not parse', 'const const', [0, 1], /SyntaxError/],
  ['crashes', `${PASSES}${WAIT}process.abort()`, [1, 1], /signal: 'SIGABRT'/],
  ['rejects without a handler', `${PASSES}Promise.reject(new Error('not handled'))`, [1, 1], /not handled/],
  ['does not keep its plan', `${TAP}t.test('two', async t => { t.plan(2); t.pass() })`, [0, 1]],
  ['never ends', `${TAP}t.test('it waits', () => new Promise(() => setInterval(() => {}, 1_000)))`, [0, 1], /timeout|signal: 'SIG(TERM|KILL)'/],
  [
    'never ends and blocks',
    `${PASSES}${WAIT}Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
    [1, 1],
    /signal: 'SIG(TERM|KILL)'/
  ],
  ['skips a test', `${PASSES}t.test('later', { skip: 'no browser' }, async t => t.pass())`, [1, 0, 1], /skipped .* later: no browser/],
  ['has a test to be written', `${PASSES}t.todo('soon')`, [1, 0, 1], /skipped .* soon/],
  ['asserts nothing', `${TAP}t.test('it looks on', async () => {})`, [0, 0, 1], /it asserts nothing/],
  ['has no test', "console.log('nothing here')", [0, 0, 1]],
  ['is empty', '', [0, 0, 1]],
  ['prints other things than TAP', `console.log('ok? not ok\\n<html>')\n${PASSES}`, [1, 0], /<html>/],
  ['bails out', `${PASSES}t.test('it gives up', async t => t.bailout('no database'))`, [1, 1], /no database/],
  [
    'prints 20 MB',
    `console.log('x'.repeat(10_000_000))\nfor (let i = 0; i < 100_000; i++) console.log('#', 'y'.repeat(98))\n${PASSES}`,
    [1, 0]
  ]
]

const files = Object.fromEntries(ROWS.map(([, text], index) => [`packages/x/test/${index}.test.ts`, text]))
const clone = await Clone.create(t, files)
/** For those that never end. On a very busy machine, the runner ends them before tap has loaded. */
const limited = await Clone.create(t, { ...files, 'tap.yml': 'jobs: 2\ntimeout: 10\n' })
/** These wait for the time limit: they begin first, while the others run. */
const isSlow = ([name]: Row) => /^never ends|keep its plan/.test(name)
t.jobs = 4
await Promise.all([...ROWS.entries()].sort(([, one], [, other]) => Number(isSlow(other)) - Number(isSlow(one))).map(([index, row]) => {
  const [name, , [passed, failed, skipped = 0], says] = row
  return t.test(`of a file that ${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`, async t => {
    const { code, output, last } = await (isSlow(row) ? limited : clone).test([`packages/x/test/${index}.test.ts`])
    const sum = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    t.same({ code, last }, { code: failed > 0 || passed === 0 ? 1 : 0, last: sum }, output.slice(0, 2_000))
    if (says !== undefined) t.match(output, says)
  })
}))

await t.test('a file that ends its process ends no other file', async t => {
  const ends = [`${TAP}t.bailout('no database')`, 'process.abort()', 'process.exit(0)']
  for (const [index, text] of ends.entries()) {
    await clone.write({ [`packages/y/test/${index}a.test.ts`]: text, [`packages/y/test/${index}b.test.ts`]: PASSES })
  }
  const { code, output, last } = await clone.test(['packages/y'])
  t.same({ code, last }, { code: 1, last: '3 passed, 3 failed' }, output)
  for (const index of ends.keys()) t.match(output, `passed   packages/y/test/${index}b.test.ts`)
})

await t.test('files of a package share a process; one that says needsOwnProcess does not', async t => {
  const counts = `${TAP}globalThis.files = (globalThis.files ?? 0) + 1\nt.test('file ' + globalThis.files, async t => t.pass())\n`
  await clone.write({
    'tap.yml': 'jobs: 1\ntimeout: 1000\n',
    'packages/z/test/1.test.ts': counts,
    'packages/z/test/2.test.ts': counts,
    'packages/z/test/3.test.ts': `export const needsOwnProcess = true\n${counts}`
  })
  await clone.write({ 'packages/z/test/4.test.ts': `${TAP}t.test('the third', async t => t.equal(globalThis.files, 2))\n` })
  t.match(await clone.test(['packages/z']), { code: 0, last: '4 passed, 0 failed' })
})
