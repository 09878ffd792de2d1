import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { freePort } from './stack.js'

/** PgBouncer refuses to run as root; this user owns nothing. */
const NOBODY = 65534

/** Debian has it where only root looks. */
const env = { PATH: `${process.env.PATH}:/usr/sbin` }

/** The version of the PgBouncer that is installed, as a number to compare: 1.21 is 121. `undefined` if there is none. */
export function versionOfPgBouncer (): number | undefined {
  try {
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync('pgbouncer', ['--version'], { env, encoding: 'utf8' })) ?? []
    return Number(major) * 100 + Number(minor)
  } catch {
    return undefined
  }
}

/** Since when it can keep statements for its clients. */
export const KEEPS_STATEMENTS = 121

/**
 * Starts PgBouncer in transaction mode before a server.
 * @returns the address of the server's database `postgres`, by way of PgBouncer
 */
export async function startPgBouncer (t: Test, server: string, settings: Record<string, string | number> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: target, username } = new URL(server)
  const all = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', pool_mode: 'transaction', ...settings }
  const lines = [
    '[databases]', `* = host=${hostname} port=${target} user=${username}`, '[pgbouncer]',
    ...Object.entries(all).map(pair => pair.join(' = '))
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, lines.join('\n'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chmod(folder, 0o755)
  const child = spawn('pgbouncer', ['-q', file], {
    env, ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}), stdio: ['ignore', 'ignore', 'pipe']
  })
  // A test file that breaks off must not leave it behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let said = ''
  child.stderr.on('data', data => { said += data })
  t.teardown(async () => {
    const gone = child.exitCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await gone
    await rm(folder, { recursive: true })
  })
  while (!await answers(port)) {
    if (child.exitCode !== null) throw new Error(`PgBouncer does not start. ${said}`)
    await setTimeout(25)
  }
  const url = new URL(server)
  url.port = `${port}`
  return url.href
}

async function answers (port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return await once(socket, 'connect').then(() => true, () => false).finally(() => socket.destroy())
}
