import { readFileSync, readdirSync } from 'node:fs'

/** Microseconds of a tick in /proc, which is always a hundredth of a second. */
const TICK = 10_000

/** Fields of `/proc/<pid>/stat` after the name, from field 3 on. */
function stat (pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** CPU time of a process and its threads, in microseconds; with `ended`, also of its ended children. */
export function cpuOf (pid, ended = false) {
  const fields = stat(pid)
  const ticks = fields.slice(11, ended ? 15 : 13).reduce((sum, it) => sum + Number(it), 0)
  return ticks * TICK
}

/** CPU time of a process and its children, also ended ones, in microseconds. */
export function cpuOfTree (root) {
  return cpuOf(root, true) + sumOfChildren(root, pid => cpuOf(pid))
}

/** How long the main thread of a process has run, in milliseconds: exact, where {@link cpuOf} counts hundredths of a second. */
export function runTimeOf (pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6
  } catch {
    // It has ended, or the kernel does not count.
    return 0
  }
}

/** The same of the children that a process has now. */
export function runTimeOfChildren (pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(it => it !== '')
  return children.reduce((sum, it) => sum + runTimeOf(it), 0)
}

/** Memory of a process and its children now, in megabytes. */
export function rssOfTree (root) {
  return rssOf(root) + sumOfChildren(root, rssOf)
}

function sumOfChildren (root, of) {
  let sum = 0
  for (const pid of readdirSync('/proc').filter(it => /^\d+$/.test(it))) {
    try {
      if (Number(stat(pid)[1]) === root) sum += of(pid)
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum
}

/** CPU time of a core, in microseconds: user, nice, system and steal time. */
export function busyOf (core) {
  const line = readFileSync('/proc/stat', 'latin1').split('\n').find(it => it.startsWith(`cpu${core} `))
  const [user, nice, system, , , , , steal] = line.split(' ').slice(1).map(Number)
  return (user + nice + system + steal) * TICK
}

/** Memory of a process now, in megabytes. */
export function rssOf (pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024
}
