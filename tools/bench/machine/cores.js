import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Which cores are used: `server` and `load` are undefined where nothing is pinned, which the table says.
 * @returns {{ server: number, load: number } | undefined}
 */
function findCores () {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]
    const [server, load] = list.split(',').flatMap(range => {
      const [first, last = first] = range.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })
    if (load === undefined) return undefined
    execFileSync('taskset', ['--version'], { stdio: 'ignore' })
    return { server, load }
  } catch {
    // No Linux, or no taskset: nothing is pinned.
    return undefined
  }
}

/** The cores of this run. */
export const cores = findCores()

/** Keeps a process that runs, with all its threads and what it starts later, on one core. */
export function pin (pid, core) {
  if (core !== undefined) execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })
}

/** What to spawn for a Node.js program that stays on the server's core. */
export function pinned (args) {
  if (cores === undefined) return [process.execPath, args]
  return ['taskset', ['-c', String(cores.server), process.execPath, ...args]]
}
