import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Reads the profile of a process's main thread.
 * @param {string} dir
 * @param {number} pid
 * @param {{ from: number, to: number }} window microseconds of the monotonic clock, which profiles have too
 * @returns {{ file: string, busy: number, parts: Array<[what: string, part: number]> }} `busy`: which part of the window
 *   it was not idle, `parts`: where it was then, without what was called from there, the greatest first
 */
export function selfTimes (dir, pid, { from, to }) {
  // CPU.<date>.<time>.<pid>.<thread>.<number>.cpuprofile; the main thread is 0.
  const file = readdirSync(dir).find(name => name.split('.').slice(3, 5).join() === `${pid},0`)
  const { nodes, samples, timeDeltas, startTime } = JSON.parse(readFileSync(join(dir, file), 'utf8'))
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map()
  let [busy, now] = [0, startTime]
  samples.forEach((id, index) => {
    now += timeDeltas[index]
    const name = names.get(id)
    if (now < from || now > to || name === 'idle') return
    busy += timeDeltas[index]
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index])
  })
  const parts = [...times].map(([name, time]) => [name, time / busy]).sort(([, one], [, other]) => other - one)
  return { file, busy: busy / (to - from), parts }
}

/** A package, a part of Node.js, a folder of ours, or a function in C++. */
function nameOf ({ functionName, url }) {
  if (functionName.startsWith('(')) return functionName === '(program)' ? 'native code' : functionName.slice(1, -1)
  if (url === '') return `${functionName} (native)`
  if (url.startsWith('node:')) return url.split('/', 2).join('/')
  const [, library] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (library !== undefined) return library
  return url.replace(/^.*\/packages\//, '').replace('/dist/src', '').split('/').slice(0, -1).join('/') || url
}
