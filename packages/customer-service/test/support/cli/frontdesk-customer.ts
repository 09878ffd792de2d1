import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** The real program. */
export const bin = fileURLToPath(new URL('../../../../bin/frontdesk-customer.js', import.meta.url))

/** How a run ended. */
export interface Run { code: number, stdout: string, stderr: string }

/**
 * Runs the program to its end, with nothing of our own environment but PATH, while servers of this process go on answering.
 * @param onOutput gets each part of the standard output at once
 */
export async function run (
  args: readonly string[], env: Record<string, string> = {}, input = '', onOutput: (text: string) => void = () => {}
): Promise<Run> {
  return await new Promise((resolve, reject) => {
    // Optimized code costs a sixth of the program's time and is never run.
    const child = execFile(
      process.execPath,
      ['--no-opt', bin, ...args],
      { env: { PATH: process.env.PATH, ...env }, cwd: tmpdir(), timeout: 30_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code
        if (typeof code === 'number') resolve({ code, stdout, stderr })
        else reject(error)
      }
    )
    child.stdout?.on('data', onOutput)
    // A program that does not read ends before it is written.
    child.stdin?.on('error', () => {}).end(input)
  })
}

/** Starts a server that is not ours; returns its address. */
export async function standIn (t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  return addressOf(server)
}

/** An address where nothing listens. */
export async function nowhere (): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = addressOf(server)
  server.close()
  await once(server, 'close')
  return address
}

function addressOf (server: ReturnType<typeof createServer>): string {
  // as: a server that listens on a port has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
