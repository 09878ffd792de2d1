import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { read, root } from './command.js'

/** How long a process that is told to end may take for it, in milliseconds. */
const SHUTDOWN_GRACE_MS = 5_000
/** Maximum number of files that share a process: more save little time, and would leave other processes without work at the end. */
const MAX_FILES = 8

/**
 * Runs compiled test files of tap in some processes at once. Files that allow it share a process, one after the other; if
 * one ends the process, the next ones run in a new process.
 * tap's own runner starts a process for each file, and loads a recorder of coverage into each: with both, all tests take
 * more than twice the time.
 * @param {import('./find-tests.js').Test[]} tests in the order to begin them
 * @param {() => Promise<string>} postgresUrl where PostgreSQL is, for those that need it
 * @param {import('node:stream').Writable} output gets the outcome of all of them as one TAP stream, and is ended
 */
export async function runTests (tests, postgresUrl, output) {
  // How many processes run at once, and how long a file may take, in seconds.
  const { jobs, timeout } = parse(read('tap.yml'))
  const queue = groupsOf(tests).values()
  let ended = 0
  output.write('TAP version 14\n')
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (const group of queue) {
      const [{ database, needsPostgresql }] = group
      const env = {
        TEST_DIALECT: (database ?? 'SQLite').toLowerCase(),
        ...(needsPostgresql ? { TEST_DATABASE_URL: await postgresUrl() } : {})
      }
      for (let names = group.map(({ name }) => name); names.length > 0;) {
        const { tap, notBegun } = outcomes(names, await run(group.filter(({ name }) => names.includes(name)), env, timeout))
        output.write(tap.replace(/^((?:not )?ok) \d+/gm, (_, outcome) => `${outcome} ${++ended}`))
        names = notBegun
      }
    }
  }))
  output.end(`1..${ended}\n`)
}

/** @returns {import('./find-tests.js').Test[][]} the files of each process */
function groupsOf (tests) {
  const groups = []
  for (const test of tests) {
    const group = groups.find(group => group.length < MAX_FILES && canShare(group[0], test))
    if (group === undefined) groups.push([test])
    else group.push(test)
  }
  return groups
}

function canShare (one, other) {
  return !one.needsOwnProcess && !other.needsOwnProcess &&
    one.package === other.package && one.database === other.database && one.needsPostgresql === other.needsPostgresql
}

/** What a process says of its files, and how it ends. */
async function run (group, env, timeout) {
  const program = fileURLToPath(new URL('test-process.js', import.meta.url))
  const child = spawn(process.execPath, [
    '--enable-source-maps', program, `${timeout}`, ...group.flatMap(({ name, file }) => [name, file])
  ], {
    cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env, TAP: '1', TAP_TIMEOUT: String(timeout) }
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', data => { text += data })
  // tap ends a file that takes too long by itself, and says where it stood; this is for one that cannot.
  const timers = [[SHUTDOWN_GRACE_MS, 'SIGTERM'], [2 * SHUTDOWN_GRACE_MS, 'SIGKILL']]
    .map(([more, signal]) => setTimeout(() => child.kill(signal), group.length * timeout * 1_000 + more))
  const [exitCode, signal] = await once(child, 'close')
  timers.forEach(clearTimeout)
  return { text, exitCode, signal }
}

/**
 * The outcomes of a process.
 * @param {string[]} names of its files, in their order
 * @returns {{ tap: string, notBegun: string[] }} each file as a test, with its tests inside (TAP 14, subtests); files to run again
 */
function outcomes (names, { text, exitCode, signal }) {
  const [, bailOut] = /^ *Bail out! *(.*)$/m.exec(text) ?? []
  // Bailing out ends this process, not those that run at the same time.
  const tap = text.replace(/^(TAP version|1\.\.|# (?!Subtest: )).*\n/gm, '').replace(/^( *)Bail out!/gm, '$1# Bail out!')
  const ended = new Set(Array.from(tap.matchAll(/^(?:not )?ok \d+ - (.*?)(?: #.*)?$/gm), ([, name]) => name))
  const begun = Array.from(text.matchAll(/^# File: (.*)$/gm), ([, name]) => name)
  // A process that does not get to its first file would not get there again.
  const notBegun = names.filter((name, index) => index > 0 && !begun.includes(name))
  const cutShort = names.find(name => !ended.has(name) && !notBegun.includes(name))
  const failed = cutShort ?? (exitCode !== 0 && !/^not ok/m.test(tap) ? `the process of ${names.join(', ')}` : undefined)
  if (failed === undefined) return { tap, notBegun }
  const reason = bailOut === undefined ? '' : `  bailOut: ${JSON.stringify(bailOut)}\n`
  return { tap: `${tap}not ok 0 - ${failed}\n  ---\n  exitCode: ${exitCode}\n  signal: ${signal}\n${reason}  ...\n`, notBegun }
}
