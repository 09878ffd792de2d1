import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { root, Stop } from './command.js'

/** Where the three programs listen unless the environment says otherwise. */
const PORTS = { AUTH_PORT: '3000', CUSTOMER_PORT: '3001', APP_PORT: '3002' }

/** Where the databases are unless the environment says otherwise. */
const DATA_DIR = resolve(root, 'data')

/**
 * Reads where to listen and where to keep the databases, and checks that the ports are free.
 * @returns {Promise<{ AUTH_PORT: number, CUSTOMER_PORT: number, APP_PORT: number, DATA_DIR: string }>}
 * @throws Stop naming the variable to change
 */
export async function readSettings (env = process.env) {
  const ports = Object.fromEntries(Object.entries(PORTS).map(([name, usual]) => [name, readPort(name, env[name] || usual)]))
  for (const [name, port] of Object.entries(ports)) {
    const twin = Object.keys(ports).find(other => other !== name && ports[other] === port)
    if (twin) throw new Stop(`${name} and ${twin} are both ${port}. Set one of them to another port.`)
    await claim(name, port)
  }
  return { ...ports, DATA_DIR: env.DATA_DIR ? resolve(root, env.DATA_DIR) : DATA_DIR }
}

/**
 * The line for a shell after which the commands and examples find the services; `undefined` if they do without.
 * @param {Awaited<ReturnType<readSettings>>} settings
 */
export function exportLine (settings) {
  const isUsual = Object.entries(PORTS).every(([name, usual]) => settings[name] === Number(usual)) && settings.DATA_DIR === DATA_DIR
  if (isUsual) return undefined
  const [auth, customers, app] = [settings.AUTH_PORT, settings.CUSTOMER_PORT, settings.APP_PORT].map(port => `http://localhost:${port}`)
  const folder = /^[\w./-]+$/.test(settings.DATA_DIR) ? settings.DATA_DIR : `'${settings.DATA_DIR.replaceAll("'", "'\\''")}'`
  return `export DATA_DIR=${folder} ISSUER=${auth} DEFAULT_AUDIENCE=${customers} AUDIENCE=${customers} CUSTOMER_URL=${customers} CALLBACK=${app}/callback`
}

function readPort (name, text) {
  const port = Number(text)
  if (/^[0-9]{1,5}$/.test(text) && port >= 1 && port <= 65535) return port
  throw new Stop(`${name} is "${text}". Set it to a port number from 1 to 65535.`)
}

/** Both addresses count: a browser may try either for `localhost`. */
async function claim (name, port) {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer()
    try {
      server.listen(port, host)
      await once(server, 'listening')
    } catch (error) {
      if (error.code === 'EADDRINUSE') {
        throw new Stop(`Port ${port} is taken. Stop what listens there, or set ${name} to a free one, as in \`${name}=4000 npm start\`.`)
      }
      if (error.code === 'EACCES') throw new Stop(`Port ${port} is reserved on this machine. Set ${name} to a port above 1023.`)
      // What is left: the machine has no such address, mostly no IPv6.
    } finally {
      server.close()
    }
  }
}
