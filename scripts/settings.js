// Reads the settings of `npm start`, and stops it before it starts anything if another program uses its ports or data.
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { root, Stop } from './command.js'
import { assistants } from './programs.js'

/** Default ports. */
const PORTS = { AUTH_PORT: '3000', CUSTOMER_PORT: '3001', DESK_PORT: '3002' }

/** Default folder of the databases. */
const DATA_DIR = resolve(root, 'data')

/**
 * Reads the settings, and checks that the ports are free.
 * @returns {Promise<{ AUTH_PORT: number, CUSTOMER_PORT: number, DESK_PORT: number, DATA_DIR: string }>}
 * @throws Stop with the variable to change
 */
export async function readSettings (env = process.env) {
  const ports = Object.fromEntries(Object.entries(PORTS).map(([name, usual]) => [name, readPort(name, env[name] || usual)]))
  for (const [name, port] of Object.entries(ports)) {
    const twin = Object.keys(ports).find(other => other !== name && ports[other] === port)
    if (twin) throw new Stop(`${name} and ${twin} are both ${port}. Set one of them to another port.`)
    await requireFree(name, port)
  }
  return { ...ports, DATA_DIR: env.DATA_DIR ? resolve(root, env.DATA_DIR) : DATA_DIR }
}

/**
 * Locks the data until this process ends, even if it is killed: SQLite's lock belongs to the process. A second `npm start` with
 * other ports would change the callbacks of the demo apps.
 * @param {string} folder absolute
 * @throws Stop if another process holds the lock
 */
export async function claimData (folder) {
  // Imported here: prepare() installs it.
  const { default: Sqlite } = await import('better-sqlite3')
  mkdirSync(folder, { recursive: true })
  const database = new Sqlite(join(folder, 'npm-start.lock'), { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    process.once('exit', () => database.close())
  } catch (error) {
    database.close()
    if (error.code !== 'SQLITE_BUSY') throw error
    throw new Stop(
      `Another \`npm start\` is using the data in ${folder}. Stop it, or set DATA_DIR to another folder, as in \`DATA_DIR=./data-2 npm start\`.`
    )
  }
}

/**
 * A shell command that gives commands and examples the settings of the services; `undefined` if the defaults are enough.
 * @param {Awaited<ReturnType<readSettings>>} settings
 */
export function exportLine (settings) {
  const isUsual = Object.entries(PORTS).every(([name, usual]) => settings[name] === Number(usual)) && settings.DATA_DIR === DATA_DIR
  const [auth, customers, desk] = [settings.AUTH_PORT, settings.CUSTOMER_PORT, settings.DESK_PORT].map(port => `http://localhost:${port}`)
  const addresses = {
    DATA_DIR: settings.DATA_DIR,
    ISSUER: auth,
    DEFAULT_AUDIENCE: customers,
    AUDIENCE: customers,
    CUSTOMER_URL: customers,
    CALLBACK: `${desk}/callback`
  }
  const entries = Object.entries({ ...isUsual ? {} : addresses, ...assistants(customers) })
  return entries.length === 0 ? undefined : `export ${entries.map(([name, value]) => `${name}=${quote(value)}`).join(' ')}`
}

/** A text as one word of a shell. */
function quote (text) {
  return /^[\w:./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function readPort (name, text) {
  const port = Number(text)
  if (/^[0-9]{1,5}$/.test(text) && port >= 1 && port <= 65535) return port
  throw new Stop(`${name} is "${text}". Set it to a port number from 1 to 65535.`)
}

/** Checks IPv4 and IPv6: a browser may try either for `localhost`. */
async function requireFree (name, port) {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer()
    try {
      server.listen(port, host)
      await once(server, 'listening')
    } catch (error) {
      if (error.code === 'EADDRINUSE') {
        throw new Stop(`Port ${port} is in use. Stop the program that uses it, or choose another port: \`${name}=4000 npm start\`.`)
      }
      if (error.code === 'EACCES') throw new Stop(`Port ${port} is reserved on this machine. Set ${name} to a port above 1023.`)
      // Any other error: the machine has no such address, usually no IPv6.
    } finally {
      server.close()
    }
  }
}
