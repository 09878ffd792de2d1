import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import type { Test } from 'tap'
import { bin, node, plain, type Run } from './frontdesk-auth.js'

/** Runs `frontdesk-auth doctor` to its end, while servers of this process go on answering. */
export async function examine (env: Record<string, string>, ...args: string[]): Promise<Run> {
  return await new Promise((resolve, reject) => {
    // A port on which no service reports its readiness, unless the test names one.
    const options = { env: { PATH: process.env.PATH, PORT: '0', ...env }, cwd: tmpdir(), timeout: 30_000 }
    execFile(node, [...plain, bin, 'doctor', ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      if (typeof code === 'number') resolve({ code, stdout, stderr })
      else reject(error)
    })
  })
}

/** Starts a server that is not ours; returns its address. */
export async function standIn (t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  // as: a server that listens on a port has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An address where nothing listens. */
export async function nowhere (): Promise<string> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}
