import { totalmem } from 'node:os'
import pg from 'pg'
import { Postgres } from '../../../scripts/postgres.js'
import { cores, pin } from './cores.js'
import { cpuOfTree, runTimeOfChildren } from './cpu.js'

/** Settings of PostgreSQL: durable, as in production, with a quarter of the memory for buffers, as its manual advises. */
const SETTINGS = { fsync: 'on', shared_buffers: `${Math.floor(totalmem() / 2 ** 22)}MB`, max_wal_size: '4GB' }

/**
 * Starts PostgreSQL on the core of the server.
 * @returns {Promise<{ create: (name: string) => Promise<string>, cpu: () => number, runTime: () => number,
 *   stop: () => Promise<void> }>}
 *   `create` makes an empty database and returns its URL; `cpu` is the CPU time in microseconds, `runTime` in milliseconds, of the
 *   processes that run now
 */
export async function startDatabase () {
  const server = await Postgres.create()
  await server.start(SETTINGS)
  const { pid } = server.child
  pin(pid, cores?.server)
  return {
    async create (name) {
      await query(server.url, `CREATE DATABASE "${name}"`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    cpu: () => cpuOfTree(pid),
    runTime: () => runTimeOfChildren(pid),
    stop: () => server.remove()
  }
}

/** Runs statements on the database at an address, and returns the rows of the last one. */
export async function query (connectionString, ...statements) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    let last
    for (const statement of statements) last = await client.query(statement)
    return last.rows
  } finally {
    await client.end()
  }
}
