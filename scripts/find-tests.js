import { relative, resolve, sep } from 'node:path'
import { read, root, Stop } from './command.js'
import { compiledOf, sources } from './sources.js'

/**
 * A test file to run. One that says `export const onBothDatabases = true` runs twice, and `onPostgresql` of its helper
 * tells it which of the two this is; one that says `export const needsPostgresql = true` also needs a PostgreSQL server.
 * `export const needsOwnProcess = true` is for one that changes or measures what the files of its package share, such as
 * modules and how code is optimized.
 * @typedef {{ name: string, file: string, package: string, database?: 'SQLite' | 'PostgreSQL', needsPostgresql: boolean,
 * needsOwnProcess: boolean }} Test
 */

/**
 * Every test. Those of the whole start processes and wait a lot, so they are spread among those of the packages, which
 * compute; the last ones too, so that nothing waits for them alone in the end.
 * @returns {Test[]} in the order to begin them
 */
export function allTests () {
  const files = sources().filter(file => file.endsWith('.test.ts')).sort()
  const groups = [...new Set(files.map(packageOf))].map(name => files.filter(file => packageOf(file) === name))
  const lastOf = group => packageOf(group[0]) === 'test' ? 0.85 : 1
  return groups.flatMap(group => group.map((file, index) => ({ file, at: lastOf(group) * index / group.length })))
    .sort((a, b) => a.at - b.at).flatMap(({ file }) => testsOf(file))
}

/**
 * The tests at these paths: files, compiled or not, or folders.
 * @param {string[]} paths from the root folder or from the working directory
 * @returns {Test[]}
 * @throws Stop if there is none at a path
 */
export function testsAt (paths) {
  const files = sources().filter(file => file.endsWith('.test.ts')).sort()
  return [...new Set(paths.flatMap(path => {
    const places = [process.cwd(), root].map(from => relative(root, resolve(from, path)).split(sep).join('/'))
    const found = places.map(place => files.filter(file => [file, compiledOf(file)].includes(place) || file.startsWith(`${place}/`)))
      .find(({ length }) => length > 0)
    if (found === undefined) throw new Stop(`There is no test at ${path}. Give a test file or a folder of them, such as ${files[0]}.`)
    return found
  }))].flatMap(testsOf)
}

/** The package or folder that a file belongs to. */
function packageOf (file) {
  return /^(test|packages\/[^/]+)\//.exec(file)[1]
}

function testsOf (source) {
  const text = read(source)
  const says = name => new RegExp(`^export const ${name} = true$`, 'm').test(text)
  const test = {
    name: source,
    file: compiledOf(source),
    package: packageOf(source),
    needsPostgresql: says('needsPostgresql'),
    needsOwnProcess: says('needsOwnProcess')
  }
  if (!says('onBothDatabases')) return [test]
  return [{ ...test, database: 'SQLite' }, { ...test, database: 'PostgreSQL', needsPostgresql: true }]
    .map(each => ({ ...each, name: `${source} (${each.database})` }))
}
