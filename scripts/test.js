// `npm test`: every check there is, from a fresh clone. What follows `--` goes to tap, such as the path of one test.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writePostgresqlTests } from './on-postgresql.js'
import { bin, node, prepare, root, Stop } from './prepare.js'
import { removeStale } from './stale.js'

try {
  // First, because preparing renders them anew.
  node('A rendered file is stale, see above.', 'prisma/render.js', '--check')
  prepare()
  removeStale()
  node('The lint check failed, see above.', bin('eslint', 'eslint'), '.')
  // tap builds itself for the plugins of tap.yml when it first runs, too late for the tests of that run.
  if (!existsSync(join(root, '.tap/plugins'))) node('tap could not be built.', bin('tap', 'tap'), 'build')
  writePostgresqlTests()
  // Not before everything is installed.
  const { startPostgres } = await import('./postgres.js')
  const postgres = await startPostgres()
  process.env.TEST_DATABASE_URL = postgres.url
  try {
    // No sentence: the reporter has said it all.
    node('', bin('tap', 'tap'), ...process.argv.slice(2))
  } finally {
    await postgres.stop()
  }
} catch (error) {
  if (!(error instanceof Stop)) throw error
  if (error.message !== '') console.error(`${error.message}\n\n0 passed, 1 failed`)
  process.exitCode = 1
}
