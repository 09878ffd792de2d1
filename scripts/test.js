// `npm test`: every check there is, from a fresh clone. What follows `--` are the paths of the tests to run instead of all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { writePostgresqlTests } from './on-postgresql.js'
import { bin, node, prepare, root, Stop } from './prepare.js'
import { removeStale } from './stale.js'

try {
  // First, because preparing renders them again.
  node('A rendered file is stale, see above.', 'prisma/render.js', '--check')
  prepare()
  removeStale()
  // Beside the tests: it has nothing to do with them.
  const lint = spawn(process.execPath, [bin('eslint', 'eslint'), '.'], { cwd: root, stdio: 'inherit' })
  const linted = once(lint, 'close')
  writePostgresqlTests()
  // Not before everything is installed.
  const [{ parse }, { startPostgres }, { findTests, runTests }, { default: Reporter }] = await Promise.all(
    ['yaml', './postgres.js', './run-tests.js', './reporter.js'].map(name => import(name)))
  const settings = parse(readFileSync(join(root, 'tap.yml'), 'utf8'))
  const postgres = await startPostgres()
  process.env.TEST_DATABASE_URL = postgres.url
  try {
    const reporter = new Reporter()
    reporter.pipe(process.stdout)
    const paths = process.argv.slice(2)
    await runTests(paths.length > 0 ? paths : findTests(), settings, reporter)
    await finished(reporter)
    if ((await linted)[0] !== 0) throw new Stop('The lint check failed, see above.')
  } finally {
    await postgres.stop()
  }
} catch (error) {
  if (!(error instanceof Stop)) throw error
  if (error.message !== '') console.error(`${error.message}\n\n0 passed, 1 failed`)
  process.exitCode = 1
}
