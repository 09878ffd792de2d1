import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parse } from 'yaml'
import { read, root } from './command.js'

/** How long a test that is told to end may take for it, in milliseconds. */
const SHUTDOWN_GRACE_MS = 5_000

/**
 * Runs compiled test files of tap, some at once, each in a process of its own. tap's own runner loads a recorder of
 * coverage into each of them and all that they start, which takes a third of the time of all tests.
 * @param {import('./find-tests.js').Test[]} tests in the order to begin them
 * @param {() => Promise<string>} postgresUrl where PostgreSQL is, for those that need it
 * @param {import('node:stream').Writable} output gets the outcome of all of them as one TAP stream, and is ended
 */
export async function runTests (tests, postgresUrl, output) {
  // How many files run at once, and how long one may take, in seconds.
  const { jobs, timeout } = parse(read('tap.yml'))
  const queue = tests.values()
  let ended = 0
  output.write('TAP version 14\n')
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (const test of queue) {
      const env = { TEST_DIALECT: (test.database ?? 'SQLite').toLowerCase(), ...(test.needsPostgresql ? { TEST_DATABASE_URL: await postgresUrl() } : {}) }
      output.write(outcome(++ended, test.name, await run(test.file, env, timeout)))
    }
  }))
  output.end(`1..${ended}\n`)
}

/** What a file says of its tests, and how it ends. */
async function run (file, env, timeout) {
  const begun = performance.now()
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env, TAP: '1', TAP_TIMEOUT: String(timeout) }
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', data => { text += data })
  // tap ends a test that takes too long by itself, and says where it stood; this is for one that cannot.
  const timers = [[SHUTDOWN_GRACE_MS, 'SIGTERM'], [2 * SHUTDOWN_GRACE_MS, 'SIGKILL']]
    .map(([more, signal]) => setTimeout(() => child.kill(signal), timeout * 1_000 + more))
  const [exitCode, signal] = await once(child, 'close')
  timers.forEach(clearTimeout)
  return { text, exitCode, signal, time: performance.now() - begun }
}

/** A file as a test of its own, with its tests inside (TAP 14, subtests). */
function outcome (number, name, { text, exitCode, signal, time }) {
  const ok = exitCode === 0
  const inside = text.trimEnd().split('\n').map(line => `    ${line}\n`).join('')
  const diagnosis = ok ? '' : `  ---\n  exitCode: ${exitCode}\n  signal: ${signal}\n  ...\n`
  return `# Subtest: ${name}\n${inside}${ok ? 'ok' : 'not ok'} ${number} - ${name} # time=${time.toFixed(1)}ms\n${diagnosis}`
}
