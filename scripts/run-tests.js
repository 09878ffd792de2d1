import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { read, root } from './command.js'

/** How long a process that is told to end may take for it, in milliseconds. */
const SHUTDOWN_GRACE_MS = 5_000
/** The line with which a process says that a file has ended, before it gets the next one. */
const ENDED = /^# Ended: .*\n/m

/** Longest such line, in characters. */
const MAX_LINE = 1_000

/** Flags of the processes. The young generation is collected when 16 MB are new: most tests need less. */
const FLAGS = ['--enable-source-maps', '--min-semi-space-size=16']

/** What tap says of a file as a whole. */
const OUTCOME = /^(?:not )?ok /m

/**
 * Runs compiled test files of tap in some processes at once. Files that allow it share a process, one after the other; if
 * one ends the process, the next one runs in a new process.
 * tap's own runner starts a process for each file, and loads a recorder of coverage into each: with both, all tests take
 * more than twice the time.
 * @param {import('./find-tests.js').Test[]} tests in the order to begin them
 * @param {() => Promise<string>} postgresUrl where PostgreSQL is, for those that need it
 * @param {import('node:stream').Writable} output gets the outcome of all of them as one TAP stream, and is ended
 */
export async function runTests (tests, postgresUrl, output) {
  // How many processes run at once, and how long a file may take, in seconds.
  const { jobs, timeout } = parse(read('tap.yml'))
  const queue = [...tests]
  const idle = []
  let ended = 0
  const tell = tap => output.write(tap.replace(/^((?:not )?ok) \d+/gm, (_, outcome) => `${outcome} ${++ended}`))
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
      tell(await process.run(test))
      if (process.lives && queue.some(other => canShare(test, other))) idle.push(process)
      else tell(await process.end())
    }
  }))
  for (const process of idle) tell(await process.end())
  output.end(`1..${ended}\n`)
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
  /** The end of it, where the line may be that says that a file has ended. */
  #rest = ''
  #failed = false
  #onEnd = () => {}
  #child
  #closed
  #timeout

  /** @param {import('./find-tests.js').Test} test the first one; others are like it */
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
      // Not the whole text each time: a file may write megabytes.
      const recent = this.#rest + data
      this.#rest = recent.slice(-MAX_LINE)
      if (!ENDED.test(recent)) return
      this.#rest = ''
      this.#onEnd()
    })
    // It may have ended meanwhile, which `close` says.
    this.#child.stdin.on('error', () => {})
  }

  get lives () {
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

  /** Ends the process. @returns its failure as a test, if it failed otherwise than its files did */
  async end () {
    this.#child.stdin.end()
    const [exitCode] = await this.#limit(this.#closed)
    const tap = this.#takeTap()
    return exitCode === 0 || this.#failed ? tap : `${tap}${await this.#failure(`the process of ${this.#names.join(', ')}`)}`
  }

  /** tap ends a file that takes too long by itself, and says where it stood; this is for one that cannot. */
  async #limit (done) {
    const timers = [[SHUTDOWN_GRACE_MS, 'SIGTERM'], [2 * SHUTDOWN_GRACE_MS, 'SIGKILL']]
      .map(([more, signal]) => setTimeout(() => this.#child.kill(signal), this.#timeout * 1_000 + more))
    const result = await done
    timers.forEach(clearTimeout)
    return result
  }

  /** What it has said since the last time. Bailing out ends this process, not those that run at the same time. */
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
