import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { run, type Cleaner } from '../faults/installation.js'
import { freePort } from '../stack.js'
import { etcdFlags, patroniConfig, proxyConfig, VERSIONS, type Node } from './configuration.js'
import { signalPostgres } from './processes.js'

/** PostgreSQL refuses to run as root: the user `nobody`, who owns nothing. */
const NOBODY = 65534

/** Debian has HAProxy where only root looks. */
const PATH = `${process.env.PATH}:/usr/sbin`

/** How long the cluster may take to do what is waited for, in milliseconds. */
const TIMEOUT_MS = 120_000

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

  /** Kills a node (SIGKILL): Patroni, PostgreSQL and all of its processes. */
  kill (node: Node): void {
    this.#signal(node, 'SIGKILL')
    this.#running.delete(node.name)
  }

  /** Suspends all processes of a node (SIGSTOP): connections stay open, and nothing answers. */
  freeze (node: Node): void {
    this.#signal(node, 'SIGSTOP')
  }

  /** Continues a frozen node (SIGCONT), which still takes itself for the primary. */
  thaw (node: Node): void {
    this.#signal(node, 'SIGCONT')
  }

  #signal (node: Node, signal: NodeJS.Signals): void {
    // Patroni first: it would start another PostgreSQL.
    this.#running.get(node.name)!.kill(signal)
    signalPostgres(join(node.home, 'data'), signal)
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

function asNobody (): { uid?: number, gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}

function own (folder: string): void {
  const { uid, gid } = asNobody()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
}
