import { launch } from '@frontdesk/test-kit/server-process'
import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

export const SERVER = fileURLToPath(new URL('../../bundle/server.js', import.meta.url))

/** Starts the real process; resolves when it listens or has exited. */
export async function start (t: Test, env: Record<string, string>) {
  const { child, log, errors, listening } = launch(t, SERVER, env)
  const address = await listening() ?? ''
  return { child, port: Number(address === '' ? NaN : new URL(address).port), address, output: () => [...log(), errors()].join('\n') }
}

/** Waits for the end of a process. */
export async function exitCode (child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}
