// Finds source and compiled files by convention (src/ and test/ compile into dist/), so that no list of them needs care.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from './command.js'

/** Every TypeScript file that is edited by hand, as a path from the root folder with `/`. */
export function sources () {
  return filesIn(['test', ...packages().flatMap(path => [`${path}/src`, `${path}/test`])])
    .filter(file => file.endsWith('.ts') && !/\/(dist|generated)\//.test(file))
}

/** Every compiled JavaScript file, and the JSON files next to them, in the same form. */
export function compiledFiles () {
  return filesIn(['test/dist', ...packages().flatMap(path => [`${path}/dist/src`, `${path}/dist/test`])])
    .filter(file => /\.js(on)?$/.test(file))
}

function packages () {
  return readdirSync(join(root, 'packages')).map(name => `packages/${name}`)
}

function filesIn (folders) {
  return folders.filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true }).map(file => `${folder}/${file.split(sep).join('/')}`))
}

/** Path of a source file's JavaScript. */
export function compiledPath (source) {
  return source.replace(/^(test|packages\/[^/]+)\//, '$1/dist/').replace(/\.ts$/, '.js')
}

/** When a file below the root folder was last written, in milliseconds since 1970; 0 if it does not exist. */
export function modifiedAt (path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
