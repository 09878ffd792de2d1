import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.js'

/** How long a test that is told to end may take for it, in milliseconds. */
const TEST_STOP_MS = 5_000

/**
 * Every compiled test. Those of the whole have processes of their own and wait a lot, so they are spread among those of
 * the packages, which compute.
 */
export function findTests () {
  const folders = ['test/dist', ...readdirSync(join(root, 'packages')).map(name => `packages/${name}/dist/test`)]
  const inFolders = folders.filter(folder => existsSync(join(root, folder))).map(folder => readdirSync(join(root, folder), { recursive: true })
    .filter(file => file.endsWith('.test.js')).sort().map(file => join(folder, file)))
  return inFolders.flatMap(files => files.map((file, index) => ({ file, at: index / files.length })))
    .sort((a, b) => a.at - b.at).map(({ file }) => file)
}

/**
 * Runs compiled test files of tap, some at once, each in a process of its own. tap's own runner loads a recorder of
 * coverage into each of them and all that they start, which takes a third of the time of all tests.
 * @param {string[]} files in the order to begin them
 * @param {{ jobs: number, timeout: number }} settings how many at once, seconds a file
 * @param {import('node:stream').Writable} output gets the outcome of all of them as one TAP stream, and is ended
 */
export async function runTests (files, { jobs, timeout }, output) {
  const queue = files.values()
  let ended = 0
  output.write('TAP version 14\n')
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (const file of queue) output.write(outcome(++ended, file, await run(file, timeout)))
  }))
  output.end(`1..${ended}\n`)
}

/** What a file says of its tests, and how it ends. */
async function run (file, timeout) {
  const begun = performance.now()
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TAP: '1', TAP_TIMEOUT: String(timeout) }
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', data => { text += data })
  // tap ends a test that takes too long by itself, and says where it stood; this is for one that cannot.
  const timers = [[TEST_STOP_MS, 'SIGTERM'], [2 * TEST_STOP_MS, 'SIGKILL']].map(([more, signal]) => setTimeout(() => child.kill(signal), timeout * 1_000 + more))
  const [exitCode, signal] = await once(child, 'close')
  timers.forEach(clearTimeout)
  return { text, exitCode, signal, time: performance.now() - begun }
}

/** A file as a test of its own, with its tests inside (TAP 14, subtests). */
function outcome (number, file, { text, exitCode, signal, time }) {
  const ok = exitCode === 0
  const inside = text.trimEnd().split('\n').map(line => `    ${line}\n`).join('')
  const diagnosis = ok ? '' : `  ---\n  exitCode: ${exitCode}\n  signal: ${signal}\n  ...\n`
  return `# Subtest: ${file}\n${inside}${ok ? 'ok' : 'not ok'} ${number} - ${file} # time=${time.toFixed(1)}ms\n${diagnosis}`
}
