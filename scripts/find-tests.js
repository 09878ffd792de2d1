// Finds the tests to run, in an order that keeps every core busy, and what each needs: a database, a process of its own.
import { relative, resolve, sep } from 'node:path'
import { read, root, Stop } from './command.js'
import { compiledPath, sources } from './sources.js'

/**
 * A test file. `export const onBothDatabases = true` runs it twice: on SQLite and on PostgreSQL. With `needsPostgresql`, it
 * needs a PostgreSQL server. With `needsOwnProcess`, it changes or measures what a package's files share, such as modules.
 * @typedef {{ name: string, file: string, package: string, database?: 'SQLite' | 'PostgreSQL', needsPostgresql: boolean,
 * needsOwnProcess: boolean }} Test
 */

/**
 * Every test. Those in test/ start processes and mostly wait, so they are spread among those of the packages, which compute,
 * and the last of them start early enough not to run alone at the end.
 * @returns {Test[]} in the order to start them
 */
export function allTests () {
  const files = sources().filter(file => file.endsWith('.test.ts')).sort()
  const groups = [...new Set(files.map(packageOf))].map(name => files.filter(file => packageOf(file) === name))
  const lastOf = group => packageOf(group[0]) === 'test' ? 0.85 : 1
  return groups.flatMap(group => group.map((file, index) => ({ file, at: lastOf(group) * index / group.length })))
    .sort((a, b) => a.at - b.at).flatMap(({ file }) => readTests(file))
}

/**
 * Finds tests by path.
 * @param {string[]} paths source files, compiled files or folders, relative to the root folder or the working directory
 * @returns {Test[]}
 * @throws Stop if a path has no test
 */
export function testsAt (paths) {
  const files = sources().filter(file => file.endsWith('.test.ts')).sort()
  return [...new Set(paths.flatMap(path => {
    const places = [process.cwd(), root].map(from => relative(root, resolve(from, path)).split(sep).join('/'))
    const found = places.map(place => files.filter(file => [file, compiledPath(file)].includes(place) || file.startsWith(`${place}/`)))
      .find(({ length }) => length > 0)
    if (found === undefined) throw new Stop(`There is no test at ${path}. Give a test file or a folder of them, such as ${files[0]}.`)
    return found
  }))].flatMap(readTests)
}

/** The package of a file, or `test`. */
function packageOf (file) {
  return /^(test|packages\/[^/]+)\//.exec(file)[1]
}

function readTests (source) {
  const text = read(source)
  const exports = name => new RegExp(`^export const ${name} = true$`, 'm').test(text)
  const test = {
    name: source,
    file: compiledPath(source),
    package: packageOf(source),
    needsPostgresql: exports('needsPostgresql'),
    needsOwnProcess: exports('needsOwnProcess')
  }
  if (!exports('onBothDatabases')) return [test]
  return [{ ...test, database: 'SQLite' }, { ...test, database: 'PostgreSQL', needsPostgresql: true }]
    .map(each => ({ ...each, name: `${source} (${each.database})` }))
}
