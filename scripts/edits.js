// Watches the sources for `--watch`, by polling: it takes 10 ms, and file system events differ between operating systems.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { root } from './command.js'

const INTERVAL_MS = 300

const FOLDERS = /^(src|test|views|public)$/

/**
 * Yields the paths of changed, added and removed files, relative to the root folder, after each edit.
 * @returns {AsyncGenerator<string[]>} without end
 */
export async function * edits () {
  let before = times()
  for (;;) {
    await setTimeout(INTERVAL_MS)
    const now = times()
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(path => before.get(path) !== now.get(path))
    before = now
    if (changed.length > 0) yield changed
  }
}

/** Modification time of each file, by path. */
function times () {
  const folders = ['test', ...['packages', 'examples'].flatMap(parent => readdirSync(join(root, parent), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(root, parent, name)).filter(it => FOLDERS.test(it)).map(it => `${parent}/${name}/${it}`)))]
  return new Map(folders.flatMap(folder => readdirSync(join(root, folder), { recursive: true }).map(file => `${folder}/${file}`))
    .filter(path => /\.\w+$/.test(path) && !/\/(dist|generated)\//.test(path))
    .map(path => [path, statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs]))
}
