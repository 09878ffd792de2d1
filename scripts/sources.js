import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from './command.js'

/** Every TypeScript file that a person edits, as a path from the root folder with `/`. */
export function sources () {
  const packages = readdirSync(join(root, 'packages'))
  return ['test', ...packages.flatMap(name => [`packages/${name}/src`, `packages/${name}/test`])]
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true }).map(file => `${folder}/${file.split(sep).join('/')}`))
    .filter(file => file.endsWith('.ts') && !/\/(dist|generated)\//.test(file))
}

/** Path of the JavaScript that a source is compiled to. */
export function compiledOf (source) {
  return source.replace(/^(test|packages\/[^/]+)\//, '$1/dist/').replace(/\.ts$/, '.js')
}

/** When a file below the root folder was written, in milliseconds since 1970; 0 if there is none. */
export function writtenAt (path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
