// `npm test` runs every check, from a fresh clone. `npm test -- <file or folder> …` and `npm test -w <package>` run only
// these tests; `--watch` runs them again after each edit.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bin, node, root, Stop } from './command.js'
import { compile } from './compile.js'
import { edits } from './edits.js'
import { allTests, testsAt } from './find-tests.js'
import { memoryFolder } from './memory-folder.js'
import { prepare } from './prepare.js'

/** The PostgreSQL server, once a test has needed it. */
let postgres

async function main () {
  const { watch, paths } = readArguments()
  const find = () => paths.length > 0 ? testsAt(paths) : allTests()
  if (paths.length === 0) {
    await everyCheck()
  } else {
    // First, to refuse a wrong path at once.
    find()
    await prepare({ tests: true })
    await runTests(find())
  }
  if (!watch) return
  for await (const paths of edits()) {
    console.log(`\nEdited: ${paths.join(', ')}\n`)
    await compile({ tests: true }).then(() => runTests(find())).catch(report)
  }
}

/** @returns {{ watch: boolean, paths: string[] }} no paths: everything */
function readArguments () {
  try {
    const { values: { watch = false }, positionals } = parseArgs({ options: { watch: { type: 'boolean' } }, allowPositionals: true })
    // npm runs a package's script in the package's folder.
    return { watch, paths: positionals.length === 0 && process.cwd() !== resolve(root) ? ['test'] : positionals }
  } catch (error) {
    throw new Stop(`${error.message.split('. ')[0]}. Usage: npm test -- [--watch] [file or folder …]`)
  }
}

async function everyCheck () {
  // First, because preparing renders them again.
  await node('A rendered file is stale, see above.', 'prisma/render.js', '--check')
  await prepare({ tests: true })
  const cache = ['--cache', '--cache-location', 'node_modules/.cache/eslint/']
  const linting = node('The lint check failed, see above.', bin('eslint', 'eslint'), '.', ...cache)
  const [linted] = await Promise.allSettled([linting, runTests(allTests())])
  if (linted.status === 'rejected') throw linted.reason
}

async function runTests (tests) {
  const folder = process.env.TMPDIR ?? memoryFolder()
  if (folder !== undefined) process.env.TMPDIR = folder
  // Imported now: before, its packages may not be installed.
  const { runTests: run } = await import('./run-tests.js')
  await run(tests, postgresUrl)
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
