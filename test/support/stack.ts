import { freePort } from '@frontdesk/test-kit/free-port'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { LeakCheck } from './leak-check.js'

export { freePort }

/** The folder of the clone. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The programs, by the names that `npm start` gives them, and replicas of them: `auth-server 2`. */
export type Name = 'auth-server' | 'customer-service' | 'desk' | `${string} ${number}`

/** One of them, as `scripts/programs.js` describes it. */
export interface Program { name: Name, file: string, address: string, ready: string, env: Record<string, string> }

// as: the scripts run before anything is compiled, so they are plain JavaScript.
export const { programs } = await import(new URL('scripts/programs.js', `file://${root}`).href) as {
  programs: (settings: Record<'AUTH_PORT' | 'CUSTOMER_PORT' | 'DESK_PORT', number> & { DATA_DIR: string }) => Program[]
}

/** A PostgreSQL server, see `scripts/postgres.js`: settings are those of postgresql.conf. */
export interface Postgres {
  readonly url: string
  port: number
  /** The folder of its data. */
  readonly data: string
  start (settings?: Record<string, string>): Promise<void>
  stop (signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>
  kill (): Promise<void>
  freeze (): Promise<void>
  thaw (): void
  copy (): Promise<Postgres>
  remove (): Promise<void>
  own (file: string, content?: string): void
}

export const { startPostgres, Postgres } = await import(new URL('scripts/postgres.js', `file://${root}`).href) as {
  startPostgres: () => Promise<{ url: string, stop: () => Promise<void> }>
  Postgres: { create: () => Promise<Postgres> }
}

/** How long a program may take to answer, in milliseconds. */
const START_TIMEOUT_MS = 120_000

/** The programs that `npm start` runs, in processes of their own, on free ports, with new databases. */
export class Stack {
  readonly leakCheck = new LeakCheck()
  readonly dataDir: string
  readonly #programs: Map<Name, Program>
  readonly #env: Record<string, string>
  readonly #running = new Map<Name, ChildProcess>()

  constructor (list: readonly Program[], dataDir: string, env: Record<string, string>) {
    this.#programs = new Map(list.map(program => [program.name, program]))
    this.dataDir = dataDir
    this.#env = env
  }

  /** Where a program is, as `http://localhost:` and its port. */
  address (name: Name): string {
    return this.#programs.get(name)!.address
  }

  get issuer (): string { return this.address('auth-server') }

  get callback (): string { return `${this.address('desk')}/callback` }

  /** The file of a program's database. */
  database (name: Name): string {
    return this.#programs.get(name)!.env.DATABASE_URL!.slice('file:'.length)
  }

  /** Runs `frontdesk-auth` on the database of auth-server; `input` is what is typed. Gives what it says. @throws if it refuses */
  async register (args: readonly string[], input = ''): Promise<string> {
    const env = { PATH: process.env.PATH, ...this.#programs.get('auth-server')!.env }
    const running = promisify(execFile)(process.execPath, [join(root, 'packages/auth-server/bin/frontdesk-auth.js'), ...args], { env })
    running.child.stdin!.end(input)
    const { stdout, stderr } = await running
    for (const line of `${stdout}${stderr}`.split('\n')) this.leakCheck.printed(line)
    return stdout
  }

  /** Starts a program and waits until it is ready; `more` is added to its settings. @throws with what it wrote if it ends instead */
  async start (name: Name, more: Record<string, string> = {}): Promise<void> {
    const { file, env, ready } = this.#programs.get(name)!
    const child = spawn(process.execPath, [join(root, file)], {
      // Nothing of the surroundings: a setting of the reader's shell must not change the outcome.
      env: { PATH: process.env.PATH, LOG_LEVEL: 'trace', ...env, ...this.#env, ...more },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', line => this.leakCheck.line(line))
    this.#running.set(name, child)
    // A test file that breaks off must not leave programs behind.
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!await fetch(ready).then(({ ok }) => ok, () => false)) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${name} does not start.\n${this.leakCheck.log}`)
      await setTimeout(25)
    }
  }

  /** The id of the process that runs a program. */
  pid (name: Name): number {
    return this.#running.get(name)!.pid!
  }

  /** Ends a program and gives its exit code, `null` if the signal killed it. */
  async end (name: Name, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#running.get(name)
    if (child === undefined) return 0
    this.#running.delete(name)
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    // `close` comes after the last line that it wrote.
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
    return child.exitCode
  }

  /** Ends all that still runs, as Ctrl-C does, and gives the exit codes. */
  async stop (): Promise<Array<number | null>> {
    return await Promise.all([...this.#running.keys()].map(name => this.end(name, 'SIGTERM')))
  }
}

/**
 * Starts programs, all of them unless named, for a test file; `env` is added to their settings.
 * @param behind puts something in front of a program, at its address, and gives the port where the program listens instead
 */
export async function startStack (
  t: Test, names?: readonly Name[], env: Record<string, string> = {}, behind?: (program: Program) => Promise<number | undefined>
): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-'))
  const [AUTH_PORT, CUSTOMER_PORT, DESK_PORT] = [await freePort(), await freePort(), await freePort()]
  const list = programs({ AUTH_PORT, CUSTOMER_PORT, DESK_PORT, DATA_DIR: dataDir })
  for (const program of behind === undefined ? [] : list) {
    const port = await behind!(program)
    if (port !== undefined) program.env.PORT = `${port}`
  }
  const stack = new Stack(list, dataDir, env)
  t.teardown(async () => {
    await stack.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  await Promise.all((names ?? list.map(({ name }) => name)).map(name => stack.start(name)))
  return stack
}

/** The last test of a file that starts programs: it ends them and reports leaks. */
export async function endStack (t: Test, stack: Stack): Promise<void> {
  await t.test('every program ends cleanly, and none wrote a token, password or cookie or sent a token before a "#"', async t => {
    const codes = await stack.stop()
    t.ok(codes.length > 0 && codes.every(code => code === 0), `exit codes: ${codes.join(', ')}`)
    const { lines, tokens } = stack.leakCheck.seen
    t.ok(lines > 0 && tokens > 0, 'the leak check saw log lines and tokens')
    t.same(stack.leakCheck.findings(), [])
  })
}
