import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { Clone } from '../support/runner/clone.js'

interface Found { name: string, file: string, database?: string, needsPostgresql: boolean }

// It changes the environment.
export const needsOwnProcess = true

// One that is running must not change the outcome.
delete process.env.TEST_DATABASE_URL

const PASSES = "import t from 'tap'\nt.test('it passes', async t => t.pass())\n"
const clone = await Clone.create(t, {
  'packages/x/src/x.ts': '',
  'packages/x/test/one.test.ts': PASSES,
  'packages/x/test/deep/two.test.ts': PASSES,
  'packages/y/test/both.test.ts': `export const onBothDatabases = true\nimport t from 'tap'
t.test(process.env.TEST_DIALECT + ', ' + process.env.TEST_DATABASE_URL, async t => t.pass())\n`,
  'packages/y/test/needs.test.ts': `export const needsPostgresql = true\n${PASSES}`,
  'packages/y/test/neither.test.ts': `// export const onBothDatabases = true\nexport const needsPostgresql = false\n${PASSES}`,
  'test/whole.test.ts': PASSES
})
interface FindTests { allTests: () => Found[], testsAt: (paths: string[]) => Found[] }
const { allTests, testsAt } = await clone.script<FindTests>('find-tests.js')
const namesAt = (...paths: string[]) => testsAt(paths).map(({ name }) => name)

await t.test('tests are found by file, compiled file or folder, each once', async t => {
  t.same(namesAt('packages/x/test/one.test.ts', 'packages/x/dist/test/one.test.js'), ['packages/x/test/one.test.ts'])
  t.same(namesAt('packages/x/'), ['packages/x/test/deep/two.test.ts', 'packages/x/test/one.test.ts'])
  t.same(namesAt(join(clone.folder, 'packages/x/test/deep')), ['packages/x/test/deep/two.test.ts'])
  t.same(allTests().map(({ file }) => file).sort(), [
    'packages/x/dist/test/deep/two.test.js',
    'packages/x/dist/test/one.test.js',
    'packages/y/dist/test/both.test.js',
    'packages/y/dist/test/both.test.js',
    'packages/y/dist/test/needs.test.js',
    'packages/y/dist/test/neither.test.js',
    'test/dist/whole.test.js'
  ])
})

await t.test('a path without a test is refused', async t => {
  for (const path of ['packages/z', 'packages/x/src/x.ts', 'packages/x/test/on', 'packages/x/test/one.test']) {
    t.throws(() => testsAt([path]), { message: `no test at ${path}` })
  }
  const { code, output, last } = await clone.test(['packages/x', 'packages/z'])
  t.same({ code, last }, { code: 1, last: '0 passed, 1 failed' })
  t.notMatch(output, 'passed   ', 'before any test runs')
  t.match((await clone.test(['--wacth'])).output, "Unknown option '--wacth'. Usage: npm test")
})

await t.test('what a test says of databases decides where it runs and whether PostgreSQL starts', async t => {
  t.same(testsAt(['packages/y']).map(({ name, database, needsPostgresql }) => [name, database, needsPostgresql]), [
    ['packages/y/test/both.test.ts (SQLite)', 'SQLite', false], ['packages/y/test/both.test.ts (PostgreSQL)', 'PostgreSQL', true],
    ['packages/y/test/needs.test.ts', undefined, true], ['packages/y/test/neither.test.ts', undefined, false]
  ])
  type RunTests = (tests: Found[], url: () => Promise<string>, output: PassThrough) => Promise<void>
  const { runTests } = await clone.script<{ runTests: RunTests }>('run-tests.js')
  const run = async (tests: Found[]) => {
    let asked = 0
    const output = new PassThrough()
    const said = output.setEncoding('utf8').toArray()
    await runTests(tests, async () => `postgresql://asked.example/${++asked}`, output)
    return { asked, said: (await said).join('') }
  }
  t.equal((await run(testsAt(['packages/y/test/neither.test.ts', 'test']))).asked, 0)
  const { asked, said } = await run(testsAt(['packages/y/test/both.test.ts']))
  t.equal(asked, 1)
  t.match(said, 'ok 1 - sqlite, undefined')
  t.match(said, 'ok 1 - postgresql, postgresql://asked.example/1')
  const { last, output } = await clone.test(['packages/y'], { env: { TEST_DATABASE_URL: 'postgresql://given.example/' } })
  t.equal(last, '4 passed, 0 failed')
  t.match(output, 'Database tests: 1 on SQLite, 1 on PostgreSQL.')
})

await t.test('npm test -w packages/x runs the tests of this package', async t => {
  const { code, output, last } = await clone.test([], { from: 'packages/x' })
  t.same({ code, last }, { code: 0, last: '2 passed, 0 failed' })
  t.match(output, /^passed {3}packages\/x\/test\/deep\/two\.test\.ts/m)
})

await t.test('in CI a skipped test makes the run fail', async t => {
  await clone.write({ 'packages/x/test/skip/skipped.test.ts': `${PASSES}t.test('later', { skip: true }, async t => t.pass())\n` })
  for (const [CI, code] of [['', 0], ['true', 1]] as const) {
    t.match(await clone.test(['packages/x/test/skip'], { env: { CI } }), { code, last: '1 passed, 0 failed, 1 skipped' })
  }
})

await t.test('an edit is told by its path, a removed file too; what is generated or compiled is none', async t => {
  await mkdir(join(clone.folder, 'examples'))
  const { edits } = await clone.script<{ edits: () => AsyncGenerator<string[]> }>('edits.js')
  const generator = edits()
  const edited = async (change: Promise<unknown>, count: number) => {
    const paths = new Set<string>()
    await change
    while (paths.size < count) for (const path of (await generator.next()).value) paths.add(path)
    return [...paths].sort()
  }
  // It compares with what was there when it began.
  const begun = generator.next()
  await clone.write({ 'packages/x/src/first.ts': '' })
  await begun
  const change = clone.write({
    'packages/x/src/generated/client.ts': '',
    'packages/x/dist/src/x.js': '',
    'packages/x/src/new.ts': '',
    'packages/x/src/x.ts': 'export {}'
  })
  t.same(await edited(change, 2), ['packages/x/src/new.ts', 'packages/x/src/x.ts'])
  t.same(await edited(rm(join(clone.folder, 'packages/x/src/new.ts')), 1), ['packages/x/src/new.ts'])
})
