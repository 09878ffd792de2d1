import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { run, type Cleaner } from '../faults/installation.js'
import { freePort } from '../stack.js'
import { proxyConfig } from './haproxy.js'

/** PostgreSQL refuses to run as root; this user owns nothing. */
const NOBODY = 65534

/** Debian has HAProxy where only root looks. */
const PATH = `${process.env.PATH}:/usr/sbin`

/** Where Debian has the programs of each version of PostgreSQL. */
const VERSIONS = '/usr/lib/postgresql'

/** How long the cluster may take to do what is waited for, in milliseconds. */
const TIMEOUT_MS = 120_000

/** Patroni's own times, in seconds: a standby is promoted when the primary's key has not been renewed for `ttl`. */
const TIMES = { ttl: 20, loop_wait: 2, retry_timeout: 5 }

/** A PostgreSQL server, and the Patroni that runs it. */
export interface Node {
  name: string
  url: string
  port: number
  /** Port of Patroni's own HTTP interface, whose status says what the server is. */
  rest: number
  home: string
}

/** Two PostgreSQL servers, run by Patroni and etcd, behind one port of HAProxy. */
export class Patroni {
  readonly nodes: Node[] = []
  /** Address of a database on the primary, by way of HAProxy. */
  url = ''
  readonly #isSynchronous: boolean
  readonly #home: string
  readonly #running = new Map<string, ChildProcess>()

  /** @param isSynchronous whether the standby has each write before it is acknowledged */
  constructor (t: Cleaner, isSynchronous: boolean) {
    this.#isSynchronous = isSynchronous
    this.#home = mkdtempSync(join(tmpdir(), 'frontdesk-patroni-'))
    own(this.#home)
    chmodSync(this.#home, 0o755)
    t.teardown(() => this.#remove())
  }

  /** Starts everything; resolves when there are a primary and a standby. @throws if a program ends instead */
  async start (): Promise<void> {
    const etcd = await freePort()
    this.#spawn('etcd', 'etcd', etcdFlags(join(this.#home, 'etcd'), etcd, await freePort()))
    for (const name of ['one', 'two']) this.nodes.push(await this.#configure(name, etcd))
    const proxy = await freePort()
    const file = join(this.#home, 'haproxy.cfg')
    writeFileSync(file, proxyConfig(proxy, this.nodes))
    this.#spawn('haproxy', 'haproxy', ['-db', '-f', file])
    this.url = `postgresql://postgres@127.0.0.1:${proxy}/postgres`
    for (const node of this.nodes) this.startNode(node)
    await this.settled()
  }

  /** Starts Patroni on a node, which starts PostgreSQL. */
  startNode ({ name, home }: Node): void {
    this.#spawn(name, 'patroni', [join(home, 'patroni.json')])
  }

  /** Keeps a primary from sending anything more to its standby. */
  async cutOff ({ url }: Node): Promise<void> {
    for (const { pid } of await run(url, 'SELECT pid FROM pg_stat_replication')) process.kill(Number(pid), 'SIGSTOP')
  }

  /** Kills (SIGKILL) a node: Patroni, PostgreSQL and all of its processes. */
  kill (node: Node): void {
    const patroni = this.#running.get(node.name)!
    patroni.kill('SIGKILL')
    const postgres = postmasterOf(node)
    if (postgres !== undefined) for (const pid of [postgres, ...childrenOf(postgres)]) end(pid)
    this.#running.delete(node.name)
  }

  /** Resolves to the primary and the standby when the one replicates to the other. */
  async settled (): Promise<{ primary: Node, standby: Node }> {
    const deadline = Date.now() + TIMEOUT_MS
    while (Date.now() < deadline) {
      const ended = [...this.#running].find(([, { exitCode }]) => exitCode !== null)
      if (ended !== undefined) throw new Error(`${ended[0]} ended.\n${this.#log(ended[0])}`)
      const primary = await this.#find('primary')
      const standby = await this.#find(this.#isSynchronous ? 'synchronous' : 'replica')
      if (primary !== undefined && standby !== undefined) return { primary, standby }
      await setTimeout(100)
    }
    throw new Error(`No primary with a standby.\n${this.nodes.map(({ name }) => this.#log(name)).join('\n')}`)
  }

  async #find (role: string): Promise<Node | undefined> {
    for (const node of this.nodes) {
      if (await fetch(`http://127.0.0.1:${node.rest}/${role}`).then(({ ok }) => ok, () => false)) return node
    }
    return undefined
  }

  async #configure (name: string, etcd: number): Promise<Node> {
    const home = join(this.#home, name)
    const [port, rest] = [await freePort(), await freePort()]
    mkdirSync(home)
    own(home)
    const node = { name, home, port, rest, url: `postgresql://postgres@127.0.0.1:${port}/postgres` }
    writeFileSync(join(home, 'patroni.json'), JSON.stringify(patroniConfig(node, etcd, this.#isSynchronous), null, 2))
    return node
  }

  #spawn (name: string, program: string, args: string[]): void {
    const log = openSync(join(this.#home, `${name}.log`), 'a')
    const child = spawn(program, args, {
      env: { PATH, HOME: this.#home }, stdio: ['ignore', log, log], cwd: this.#home, ...asNobody()
    })
    this.#running.set(name, child)
    // A run that breaks off must not leave it behind.
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
  }

  #log (name: string): string {
    return readFileSync(join(this.#home, `${name}.log`), 'utf8').split('\n').slice(-60).join('\n')
  }

  async #remove (): Promise<void> {
    for (const node of this.nodes) if (this.#running.has(node.name)) this.kill(node)
    for (const child of this.#running.values()) {
      if (child.exitCode !== null) continue
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The programs that the run needs and does not find. */
export function missingPrograms (): string[] {
  const missing = ['etcd', 'patroni', 'haproxy'].filter(program => {
    try {
      execFileSync('which', [program], { env: { PATH }, stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })
  return existsSync(VERSIONS) ? missing : [...missing, `a server in ${VERSIONS}`]
}

function patroniConfig ({ name, home, port, rest }: Node, etcd: number, isSynchronous: boolean) {
  const version = readdirSync(VERSIONS).sort((one, other) => Number(other) - Number(one))[0]!
  return {
    scope: 'frontdesk',
    name,
    etcd3: { host: `127.0.0.1:${etcd}` },
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    bootstrap: {
      dcs: {
        ...TIMES,
        // Not strict: with two servers, it would refuse every write until the killed one is back.
        synchronous_mode: isSynchronous,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, fsync: 'off' } }
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums']
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(home, 'data'),
      bin_dir: join(VERSIONS, version, 'bin'),
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: home },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
    }
  }
}

function etcdFlags (folder: string, port: number, peers: number): string[] {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`]
  return [
    '--name', 'etcd', '--data-dir', folder, '--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer,
    '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`, '--unsafe-no-fsync'
  ]
}

function postmasterOf ({ home }: Node): number | undefined {
  const file = join(home, 'data', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : undefined
}

function childrenOf (pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function end (pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // as: kill throws errors with a code. It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function asNobody (): { uid?: number, gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}

function own (folder: string): void {
  const { uid, gid } = asNobody()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
}
