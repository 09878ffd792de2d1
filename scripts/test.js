// `npm test`: every check there is, from a fresh clone. `npm test -- <file or folder> …` and `npm test -w <package>` run
// these tests alone; `--watch` repeats them after each edit.
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { bin, node, root, Stop } from './command.js'
import { compile, compileEdited } from './compile.js'
import { edits } from './edits.js'
import { allTests, testsAt } from './find-tests.js'
import { memoryFolder } from './memory-folder.js'
import { prepare, prepareClients } from './prepare.js'

/** The server, once a test has asked for it. */
let postgres

async function main () {
  const { watch, paths } = readArguments()
  const find = () => paths.length > 0 ? testsAt(paths) : allTests()
  if (paths.length === 0) {
    await everyCheck()
  } else {
    find()
    await prepareClients({ tests: true })
    await runSome(find())
  }
  if (!watch) return
  for await (const paths of edits()) {
    console.log(`\nEdited: ${paths.join(', ')}\n`)
    await runSome(find()).catch(report)
  }
}

/** @returns {{ watch: boolean, paths: string[] }} no paths: everything */
function readArguments () {
  try {
    const { values: { watch = false }, positionals } = parseArgs({ options: { watch: { type: 'boolean' } }, allowPositionals: true })
    // npm runs the script of a package in its folder.
    return { watch, paths: positionals.length === 0 && process.cwd() !== resolve(root) ? ['test'] : positionals }
  } catch (error) {
    throw new Stop(`${error.message.split('. ')[0]}. Usage: npm test -- [--watch] [file or folder …]`)
  }
}

async function everyCheck () {
  // First, because preparing renders them again.
  await node('A rendered file is stale, see above.', 'prisma/render.js', '--check')
  await prepare({ tests: true })
  // In parallel with the tests: it does not depend on them.
  const linting = node(
    'The lint check failed, see above.',
    bin('eslint', 'eslint'),
    '.',
    '--cache',
    '--cache-location',
    'node_modules/.cache/eslint/'
  )
  const [linted] = await Promise.allSettled([linting, runTests(allTests())])
  if (linted.status === 'rejected') throw linted.reason
}

/** The tests first: whether their types are right is told after their outcome. */
async function runSome (tests) {
  await compileEdited()
  await runTests(tests)
  await compile({ tests: true })
}

async function runTests (tests) {
  useMemory()
  // Not before everything is installed.
  const [{ runTests: run }, { default: Reporter }] = await Promise.all([import('./run-tests.js'), import('./reporter.js')])
  const reporter = new Reporter()
  reporter.pipe(process.stdout)
  await run(tests, postgresUrl, reporter)
  await finished(reporter)
}

/** From now on, temporary files are in memory, unless TMPDIR says where to have them. */
function useMemory () {
  const folder = process.env.TMPDIR === undefined ? memoryFolder() : undefined
  if (folder !== undefined) process.env.TMPDIR = folder
}

async function postgresUrl () {
  postgres ??= import('./postgres.js').then(({ startPostgres }) => startPostgres())
  return (await postgres).url
}

async function stop () {
  await (await postgres)?.stop()
}

function report (error) {
  if (!(error instanceof Stop)) throw error
  console.error(`${error.message}\n\n0 passed, 1 failed`)
  process.exitCode = 1
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop().finally(() => process.exit(1)))
await main().catch(report).finally(stop)
