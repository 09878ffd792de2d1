import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Chooses the cores; `undefined` without pinning, which the table notes.
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

/** Pins a process with its threads and future children to one core. */
export function pin (pid, core) {
  if (core !== undefined) execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })
}

/** The command of a program, by default Node.js, that is pinned to the server's core. */
export function pinned (args, file = process.execPath) {
  if (cores === undefined) return [file, args]
  return ['taskset', ['-c', String(cores.server), file, ...args]]
}
