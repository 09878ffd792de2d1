import { createContext } from './context.js'
import { rssOfTree } from './machine/cpu.js'
import { startDatabase } from './machine/database.js'
import { startServer } from './machine/server.js'

/** The targets of a run with their data, and the running servers. */
export class Subjects {
  #all = new Map()
  #running = new Map()
  #targets
  #options
  #database

  /**
   * @param {Map<string, import('./target.js').Target>} targets
   * @param {{ dir: string, customers: number, issuer: import('./issuer.js').Issuer }} options
   */
  constructor (targets, options) {
    this.#targets = new Map(targets)
    this.#options = options
  }

  /** One more target. */
  add (name, target) {
    this.#targets.set(name, target)
  }

  /** Loads the data of a target when it is first asked for. */
  async prepare (name) {
    const known = this.#all.get(name)
    if (known !== undefined) return known
    const target = this.#targets.get(name)
    const onPostgres = target.database === 'postgresql'
    if (onPostgres) this.#database ??= await startDatabase()
    const databaseUrl = onPostgres ? await this.#database.create(name) : undefined
    const context = await createContext({ ...this.#options, name, databaseUrl })
    await target.prepare?.(context)
    const subject = {
      name,
      target,
      context,
      ports: [context.port],
      database: onPostgres ? this.#database : undefined,
      servers: [],
      starts: []
    }
    this.#all.set(name, subject)
    return subject
  }

  /** Its server, started unless it runs. */
  async start (name) {
    const subject = await this.prepare(name)
    if (!this.#running.has(name)) {
      const server = await startServer(subject.target.start(subject.context), subject.context)
      this.#running.set(name, server)
      subject.servers = [server]
      subject.starts.push(server.started)
    }
    return subject
  }

  /** Memory of its server with its workers now, in megabytes. */
  rss (name) {
    return rssOfTree(this.#running.get(name).pid)
  }

  /** Ends servers: those named, or all. */
  async stop (names = [...this.#running.keys()]) {
    await Promise.all(names.map(async name => {
      const server = this.#running.get(name)
      this.#running.delete(name)
      await server?.stop()
    }))
  }

  /** Ends everything. */
  async close () {
    await this.stop()
    await this.#database?.stop()
  }
}
