import { existsSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * How to start its server: a program (`node`), its arguments, variables in addition to PATH, HOME and NODE_ENV=production, where (the
 * target's scratch directory), and the path that answers 200 once it is ready (else any answer of `/` will do).
 * @typedef {{ file?: string, args: string[], env?: Record<string, string>, cwd?: string, probe?: string }} Start
 */

/**
 * A target, see tools/bench/targets/README.md.
 * @typedef {object} Target
 * @property {'limit' | 'frontdesk' | 'peer'} group
 * @property {'none' | 'memory' | 'sqlite' | 'postgresql'} database
 * @property {Record<string, (context: import('./context.js').Context) => Promise<import('./load/drive.js').Load>>} workloads
 * @property {(context: import('./context.js').Context) => Start} start
 * @property {(context: import('./context.js').Context) => Promise<void>} [prepare]
 * @property {string[]} [packages] those of Debian that it needs
 */

/** Those of `npm run bench`; `deployed` has those that must be named, `indexed` the limits of sustained writes. */
const FOLDERS = ['limits', 'frontdesk', 'peers']

/**
 * Loads the targets by name, limits first, only from the requested folders.
 * @param {{ names?: string[], folders?: string[], from?: URL }} wanted every target unless named; `from`: another `tools/bench/`
 * @returns {Promise<Map<string, Target>>}
 */
export async function loadTargets ({
  names, folders = names === undefined ? FOLDERS : [...FOLDERS, 'deployed'], from = new URL('./', import.meta.url)
}) {
  const targets = new Map()
  for (const folder of folders) {
    const directory = new URL(`targets/${folder}/`, from)
    const files = existsSync(directory) ? readdirSync(directory) : []
    for (const file of files.filter(it => it.endsWith('.js')).sort()) {
      const name = basename(file, '.js')
      if (names !== undefined && !names.includes(name)) continue
      targets.set(name, (await import(new URL(file, directory).href)).default)
    }
  }
  const unknown = names?.filter(it => !targets.has(it)) ?? []
  if (unknown.length > 0) throw new Error(`There is no target ${unknown.join(', ')}. Look into tools/bench/targets.`)
  return targets
}

/** Targets that start in another way. @param {(start: Start) => Start} change */
export function startedAs (targets, change) {
  return new Map([...targets].map(([name, target]) => [name, { ...target, start: context => change(target.start(context)) }]))
}
