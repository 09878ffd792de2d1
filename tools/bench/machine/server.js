import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../load/connection.js'
import { asker } from '../load/drive.js'
import { pinned } from './cores.js'

/** Time limit for a server's first response, in milliseconds. */
const START_TIMEOUT_MS = 60_000

/**
 * A running server.
 * @typedef {{ pid: number, started: number, stop: () => Promise<void> }} Server
 */

/**
 * Starts a target's server on the server's core, and waits for its first successful response.
 * @param {import('../target.js').Start} start
 * @param {{ port: number, dir: string }} context
 * @returns {Promise<Server>} `started`: milliseconds from spawn to response
 * @throws with its output if it exits
 */
export async function startServer ({ file: program, args, env, cwd, probe }, { port, dir }) {
  const log = join(dir, 'stderr.log')
  const [file, all] = pinned(args, program)
  const begin = performance.now()
  const child = spawn(file, all, {
    cwd: cwd ?? dir,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', ...env },
    stdio: ['ignore', openSync('/dev/null', 'w'), openSync(log, 'w')],
    detached: true
  })
  const kill = () => killGroup(child)
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const server = { pid: child.pid, started: 0, stop: () => end(child) }
  while (!await answers(port, probe)) {
    if (child.exitCode !== null || performance.now() - begin > START_TIMEOUT_MS) {
      await server.stop()
      throw new Error(`${[program ?? 'node', ...args].join(' ')} does not start.\n${readFileSync(log, 'utf8').slice(-2000)}`)
    }
    await wait(2)
  }
  server.started = performance.now() - begin
  return server
}

/** Whether the server responds: with 200 if the target has a path for that, else with any status. */
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
  const timer = setTimeout(() => killGroup(child), 5_000)
  await gone
  clearTimeout(timer)
}

/** Kills a program and its workers. */
function killGroup ({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
