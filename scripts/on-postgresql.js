import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './prepare.js'

/**
 * Beside every compiled test that opens a database, writes one that runs it on PostgreSQL: the same tests hold both
 * databases to the same behaviour.
 */
export function writePostgresqlTests () {
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name, 'dist/test')
    if (!existsSync(folder)) continue
    for (const file of readdirSync(folder, { recursive: true })) {
      if (!file.endsWith('.test.js') || isPostgresqlTest(file)) continue
      if (!/\b(build|temporaryDatabase)\(t\b/.test(readFileSync(join(folder, file), 'utf8'))) continue
      writeFileSync(join(folder, postgresqlTestOf(file)),
        `process.env.TEST_DIALECT = 'postgresql'\nawait import('./${basename(file)}')\n`)
    }
  }
}

/** Whether a compiled test is one of those. */
export function isPostgresqlTest (file) {
  return file.endsWith('.postgresql.test.js')
}

/** The one that runs a compiled test on PostgreSQL. */
export function postgresqlTestOf (file) {
  return file.replace(/\.test\.js$/, '.postgresql.test.js')
}
