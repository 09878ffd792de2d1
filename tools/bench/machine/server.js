import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../load/connection.js'
import { asker } from '../load/drive.js'
import { pinned } from './cores.js'

/** How long a server may take to answer at first, in milliseconds. */
const START_TIMEOUT_MS = 60_000

/**
 * A server that runs.
 * @typedef {{ pid: number, started: number, stop: () => Promise<void> }} Server
 */

/**
 * Starts the server of a target on the server's core and waits for its first good answer.
 * @param {import('../target.js').Start} start
 * @param {{ port: number, dir: string }} context
 * @returns {Promise<Server>} `started`: milliseconds from spawn to answer
 * @throws with what it wrote if it ends instead
 */
export async function startServer ({ args, env, cwd, probe }, { port, dir }) {
  const log = join(dir, 'stderr.log')
  const [file, all] = pinned(args)
  const begin = performance.now()
  const child = spawn(file, all, {
    cwd: cwd ?? dir,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', ...env },
    stdio: ['ignore', openSync('/dev/null', 'w'), openSync(log, 'w')]
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const server = { pid: child.pid, started: 0, stop: () => end(child) }
  while (!await answers(port, probe)) {
    if (child.exitCode !== null || performance.now() - begin > START_TIMEOUT_MS) {
      await server.stop()
      throw new Error(`${args.join(' ')} does not start.\n${readFileSync(log, 'utf8').slice(-2000)}`)
    }
    await wait(2)
  }
  server.started = performance.now() - begin
  return server
}

/** Whether it answers: with 200 where the target names what to ask for, else with anything. */
async function answers (port, probe) {
  const connection = new Connection(port)
  const timer = setTimeout(() => connection.fail(), 1_000)
  try {
    const { status } = await asker(connection)({ path: probe ?? '/' })
    return probe === undefined || status === 200
  } catch {
    return false
  } finally {
    clearTimeout(timer)
    connection.close()
  }
}

async function end (child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  // Not every server heeds it.
  const hard = AbortSignal.timeout(5_000)
  hard.addEventListener('abort', () => child.kill('SIGKILL'), { once: true })
  await gone
}
