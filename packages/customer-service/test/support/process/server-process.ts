import { launch } from '@frontdesk/test-kit/server-process'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const server = fileURLToPath(new URL('../../../bundle/server.js', import.meta.url))

/** Starts the service as `npm start` does, without access tokens by default, and waits until it listens. */
export async function start (t: Test, env: Record<string, string>) {
  const { listening, errors, ...running } = launch(t, server, { AUTH: 'none', ...env })
  const url = await listening()
  if (url === undefined) throw new Error(errors())
  return { ...running, url }
}

/** Starts the service; resolves to its exit code and what it wrote to standard error. */
export async function fail (t: Test, env: Record<string, string>) {
  const { exit, errors } = launch(t, server, env)
  const [code] = await exit
  return { code, errors: errors() }
}
