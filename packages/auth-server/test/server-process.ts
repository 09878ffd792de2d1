import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

export const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url))

/** Starts the real process; resolves when it listens or has ended. */
export async function start (t: Test, env: Record<string, string>) {
  const child = spawn(process.execPath, [SERVER], { env: { PATH: process.env.PATH, PORT: '0', ...env } as NodeJS.ProcessEnv })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', data => { output += data })
  child.stderr.on('data', data => { output += data })
  while (!output.includes('listening at') && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  const port = Number(/listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1])
  return { child, port, address: `http://127.0.0.1:${port}`, output: () => output }
}

/** Waits for the end of a process. */
export async function exitCode (child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}
