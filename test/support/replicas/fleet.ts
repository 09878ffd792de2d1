import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'
import { freePort, programs, Stack, type Name, type Program } from '../stack.js'
import { startProxy } from './proxy.js'

/** The services whose replicas share a database and stand behind a proxy. */
const SERVICES = ['auth-server', 'customer-service'] as const

/** The name of a replica, from 1 on, as the stack knows it. */
export function replica (service: typeof SERVICES[number], number: number): Name {
  return `${service} ${number}`
}

/**
 * Replicas of both services, started together on empty databases of one PostgreSQL server, each service behind a
 * proxy whose address is the one that the stack gives for it.
 * @param server address of the PostgreSQL server
 * @param env added to the settings of every replica
 * @param replicas how many of each service there are
 */
export async function startFleet (t: Pick<Test, 'teardown'>, server: string, env: Record<string, string>, replicas = 2): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-fleet-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const [AUTH_PORT, CUSTOMER_PORT, DESK_PORT] = [await freePort(), await freePort(), await freePort()]
  const list: Program[] = []
  for (const program of programs({ AUTH_PORT, CUSTOMER_PORT, DESK_PORT, DATA_DIR: dataDir })) {
    if (program.env.DATABASE_URL !== undefined) program.env.DATABASE_URL = await createDatabase(server, program.name.replace('-', '_'))
    list.push(program)
    if (!SERVICES.some(service => service === program.name)) continue
    const ports = await Promise.all(Array.from({ length: replicas }, freePort))
    list.push(...ports.map((port, index) => replicaOf(program, index + 1, port)))
    await startProxy(t, Number(program.env.PORT), ports)
  }
  const stack = new Stack(list, dataDir, { TRUST_PROXY: '127.0.0.1', ...env })
  t.teardown(() => stack.stop())
  await Promise.all(list.filter(({ name }) => name.includes(' ')).map(({ name }) => stack.start(name)))
  return stack
}

function replicaOf (program: Program, number: number, port: number): Program {
  const ready = `http://localhost:${port}/health/ready`
  // as: only services come here.
  return { ...program, name: replica(program.name as typeof SERVICES[number], number), ready, env: { ...program.env, PORT: `${port}` } }
}

async function createDatabase (server: string, name: string): Promise<string> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return new URL(`/${name}`, server).href
}
