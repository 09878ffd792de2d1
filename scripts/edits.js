import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { root } from './command.js'

/** How often to look, in milliseconds. */
const INTERVAL_MS = 300

const FOLDERS = /^(src|test|views|public)$/

/**
 * Each time that something changed which tests or services are made of: the paths from the root folder. By looking, which
 * costs 10 ms, as what the operating systems tell differs.
 * @returns {AsyncGenerator<string[]>} ends never
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

/** When each file was written, by its path. */
function times () {
  const folders = ['test', ...['packages', 'examples'].flatMap(parent => readdirSync(join(root, parent), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(root, parent, name)).filter(it => FOLDERS.test(it)).map(it => `${parent}/${name}/${it}`)))]
  return new Map(folders.flatMap(folder => readdirSync(join(root, folder), { recursive: true }).map(file => `${folder}/${file}`))
    .filter(path => /\.\w+$/.test(path) && !/\/(dist|generated)\//.test(path))
    .map(path => [path, statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs]))
}
