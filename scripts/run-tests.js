// Runs compiled test files in a few processes that files share. tap's own runner starts a process for each file and records
// coverage in each: that takes more than twice the time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { read, root } from './command.js'
import Reporter from './reporter.js'

/** How long a process has to end after SIGTERM, in milliseconds. */
const SHUTDOWN_GRACE_MS = 5_000
/** The line that a process writes after each file. */
const ENDED = /^# Ended: .*\n/m

/** Longest such line, in characters. */
const MAX_LINE = 1_000

/** Flags of the processes. With 16 MB of young generation, most tests need no garbage collection. */
const FLAGS = ['--enable-source-maps', '--min-semi-space-size=16']

/** tap's result of a whole file. */
const OUTCOME = /^(?:not )?ok /m

/**
 * Runs test files and reports their results. Files that can share a process run in it one after the other; if one ends the
 * process, the next one gets a new process.
 * @param {import('./find-tests.js').Test[]} tests in the order to start them
 * @param {() => Promise<string>} [postgresUrl] the PostgreSQL server, for tests that need one
 * @param {import('node:stream').Duplex} [output] takes the results as one TAP stream; default: prints them
 */
export async function runTests (tests, postgresUrl, output = printer()) {
  // How many processes run at once, and the time limit of a file in seconds.
  const { jobs, timeout } = parse(read('tap.yml'))
  const queue = [...tests]
  const idle = []
  let ended = 0
  const report = tap => output.write(tap.replace(/^((?:not )?ok) \d+/gm, (_, outcome) => `${outcome} ${++ended}`))
  async function take (test) {
    const place = idle.findIndex(it => canShare(it.test, test))
    return place < 0
      ? new TestProcess(test, test.needsPostgresql ? await postgresUrl() : undefined, timeout)
      : idle.splice(place, 1)[0]
  }
  output.write('TAP version 14\n')
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (let test = queue.shift(); test !== undefined; test = queue.shift()) {
      const process = await take(test)
      report(await process.run(test))
      if (process.isAlive && queue.some(other => canShare(test, other))) idle.push(process)
      else report(await process.end())
    }
  }))
  for (const process of idle) report(await process.end())
  output.end(`1..${ended}\n`)
  await finished(output)
}

function printer () {
  const reporter = new Reporter()
  reporter.pipe(process.stdout)
  return reporter
}

function canShare (one, other) {
  return !one.needsOwnProcess && !other.needsOwnProcess && one.package === other.package &&
    dialectOf(one) === dialectOf(other) && one.needsPostgresql === other.needsPostgresql
}

function dialectOf ({ database = 'SQLite' }) {
  return database.toLowerCase()
}

/** A process that runs test files, one after the other. */
class TestProcess {
  #names = []
  #text = ''
  /** Its end, which may have a part of the line that ends a file. */
  #rest = ''
  #failed = false
  #onEnd = () => {}
  #child
  #closed
  #timeout

  /** @param {import('./find-tests.js').Test} test the first of similar ones */
  constructor (test, postgresUrl, timeout) {
    this.test = test
    this.#timeout = timeout
    this.#child = spawn(process.execPath, [...FLAGS, fileURLToPath(new URL('test-process.js', import.meta.url)), `${timeout}`], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        TEST_DIALECT: dialectOf(test),
        ...(postgresUrl && { TEST_DATABASE_URL: postgresUrl }),
        TAP: '1',
        TAP_TIMEOUT: `${timeout}`
      }
    })
    this.#closed = once(this.#child, 'close')
    this.#child.stdout.setEncoding('utf8').on('data', data => {
      this.#text += data
      // Searching the whole text each time would be slow: a file may write megabytes.
      const recent = this.#rest + data
      this.#rest = recent.slice(-MAX_LINE)
      if (!ENDED.test(recent)) return
      this.#rest = ''
      this.#onEnd()
    })
    // A write fails if the process has ended, which `close` reports.
    this.#child.stdin.on('error', () => {})
  }

  get isAlive () {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Runs a file. @returns the file as a test, with its tests inside (TAP 14, subtests) */
  async run ({ name, file }) {
    this.#names.push(name)
    this.#child.stdin.write(`${JSON.stringify([name, file])}\n`)
    await this.#limit(Promise.race([
      new Promise(resolve => { this.#onEnd = resolve }),
      this.#closed
    ]))
    const [, bailOut] = /^ *Bail out! *(.*)$/m.exec(this.#text) ?? []
    const tap = this.#takeTap()
    return OUTCOME.test(tap) ? tap : `${tap}${await this.#failure(name, bailOut)}`
  }

  /** Ends the process. @returns its failure as a test, unless one of its files failed */
  async end () {
    this.#child.stdin.end()
    const [exitCode] = await this.#limit(this.#closed)
    const tap = this.#takeTap()
    return exitCode === 0 || this.#failed ? tap : `${tap}${await this.#failure(`the process of ${this.#names.join(', ')}`)}`
  }

  /** Ends a process that blocks. Otherwise, tap itself ends a file that takes too long, and shows where it was. */
  async #limit (done) {
    const timers = [[SHUTDOWN_GRACE_MS, 'SIGTERM'], [2 * SHUTDOWN_GRACE_MS, 'SIGKILL']]
      .map(([more, signal]) => setTimeout(() => this.#child.kill(signal), this.#timeout * 1_000 + more))
    const result = await done
    timers.forEach(clearTimeout)
    return result
  }

  /** Returns the new output. Bailing out ends only this process. */
  #takeTap () {
    const tap = this.#text.replace(/^(TAP version|1\.\.|# (?!Subtest: )).*\n/gm, '').replace(/^( *)Bail out!/gm, '$1# Bail out!')
    this.#text = ''
    this.#failed ||= /^not ok/m.test(tap)
    return tap
  }

  async #failure (name, bailOut) {
    this.#child.stdin.end()
    const [exitCode, signal] = await this.#limit(this.#closed)
    this.#failed = true
    const reason = bailOut === undefined ? '' : `  bailOut: ${JSON.stringify(bailOut)}\n`
    return `not ok 0 - ${name}\n  ---\n  exitCode: ${exitCode}\n  signal: ${signal}\n${reason}  ...\n`
  }
}
