import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const server = fileURLToPath(new URL('../../src/server.js', import.meta.url))

/** A running service, as `npm start` runs it. */
export interface Running {
  child: ChildProcess
  url: string
  /** Log lines so far. */
  log: string[]
  /** Exit code and signal. */
  exit: Promise<[code: number | null, signal: string | null]>
}

/** Starts the service in a process of its own, open to everybody unless told otherwise, and waits until it listens. */
export async function start (t: Test, env: Record<string, string>): Promise<Running> {
  const { child, exit, output } = launch(t, { AUTH: 'none', PORT: '0', ...env })
  const log: string[] = []
  let url: string | undefined
  let rest = ''
  const listening = new Promise<void>(resolve => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      log.push(...lines)
      url ??= /listening at (http:[^"]+)"/.exec(lines.join('\n'))?.[1]
      if (url !== undefined) resolve()
    })
  })
  await Promise.race([listening, exit])
  if (url === undefined) throw new Error(output.join(''))
  return { child, url, log, exit }
}

/** Starts the service and gives what it wrote to standard error by the time it ended. */
export async function fail (t: Test, env: Record<string, string>) {
  const { exit, output } = launch(t, { PORT: '0', ...env })
  const [code] = await exit
  return { code, errors: output.join('') }
}

function launch (t: Test, env: Record<string, string>) {
  const child = spawn(process.execPath, [server], { env: { PATH: process.env.PATH ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => { output.push(text) })
  // as: that is what the event `close` carries.
  const exit = once(child, 'close') as Promise<[number | null, string | null]>
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return { child, exit, output }
}
