import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from './command.js'

/** Every TypeScript file that a person edits, as a path from the root folder with `/`. */
export function sources () {
  return filesIn(['test', ...packages().flatMap(path => [`${path}/src`, `${path}/test`])])
    .filter(file => file.endsWith('.ts') && !/\/(dist|generated)\//.test(file))
}

/** Every JavaScript file that a source was compiled to, likewise. */
export function compiledFiles () {
  return filesIn(['test/dist', ...packages().flatMap(path => [`${path}/dist/src`, `${path}/dist/test`])]).filter(file =>
    file.endsWith('.js')
  )
}

function packages () {
  return readdirSync(join(root, 'packages')).map(name => `packages/${name}`)
}

function filesIn (folders) {
  return folders.filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true }).map(file => `${folder}/${file.split(sep).join('/')}`))
}

/** Path of the JavaScript that a source is compiled to. */
export function compiledOf (source) {
  return source.replace(/^(test|packages\/[^/]+)\//, '$1/dist/').replace(/\.ts$/, '.js')
}

/** When a file below the root folder was written, in milliseconds since 1970; 0 if there is none. */
export function writtenAt (path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
