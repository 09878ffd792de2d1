import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@frontdesk/test-kit/free-port'
import { askAll } from './load/ask.js'

/**
 * The context of a target, see tools/bench/targets/README.md.
 * @typedef {Awaited<ReturnType<typeof createContext>>} Context
 */

/**
 * @param {{ name: string, dir: string, customers: number, issuer: import('./issuer.js').Issuer, databaseUrl: string | undefined,
 *   reserved?: number }} options
 *   `reserved`: the highest id of loaded customers; new ones follow it
 */
export async function createContext ({ name, dir, customers, issuer, databaseUrl, reserved = customers }) {
  const port = await freePort()
  const own = join(dir, name)
  mkdirSync(own)
  let last = reserved
  let deleted = reserved
  return {
    name,
    dir: own,
    port,
    url: `http://127.0.0.1:${port}`,
    databaseUrl,
    customers,
    issuer,
    token: issuer.token(),
    /** Set before each call of a workload. */
    requests: 0,
    connections: 32,
    memory: new Map(),
    next: () => ++last,
    /** How many ids `next` gave that `nextDeleted` has not. */
    undeleted: () => last - deleted,
    nextDeleted: () => ++deleted,
    askAll: requests => askAll(port, requests),
    ask: async request => (await askAll(port, [request]))[0]
  }
}
