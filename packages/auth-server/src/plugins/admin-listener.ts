import { ConfigError } from '@frontdesk/service-kit/settings'
import fp from 'fastify-plugin'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { adminPathOf } from '../settings/admin.js'

interface Options {
  host: string
  port: number
  /** Public address. */
  adminUrl: string
  /** The issuer's path, without a trailing slash. */
  basePath: string
}

/** What the pages of the console need. */
const ASSETS = ['/assets/', '/logos/', '/language']

/**
 * A port of its own for what administrators use, which is not on the public one. Its connections are handled by the same server, with
 * the same limits.
 */
export default fp<Options>(async function adminListener (fastify, { host, port, adminUrl, basePath }) {
  const own = new WeakSet<Socket>()
  const listener = createServer({ noDelay: true }, socket => {
    own.add(socket)
    fastify.server.emit('connection', socket)
  })
  fastify.addHook('onReady', async () => {
    listener.listen(port, host)
    await once(listener, 'listening').catch(error => {
      throw error.code === 'EADDRINUSE' ? new ConfigError([`ADMIN_PORT ${port} is taken. Set it to another port.`]) : error
    })
    fastify.log.info({ address: listener.address(), url: `${adminUrl}/admin` }, 'administrators connect here')
  })
  fastify.stopping.addEventListener('abort', () => listener.close())

  const admin = adminPathOf({ adminUrl })
  // Routes, since a path can be written in several ways.
  fastify.addHook('onRequest', async (request, reply) => {
    const { raw: { socket }, server } = request
    // Without a route: that of other methods, or where unknown paths are answered, such as those of the API.
    const route = request.routeOptions.url ?? fastify.routeAt(request.url) ?? server.prefix
    const isAdmin = route === admin || route.startsWith(`${admin}/`)
    const isOther = !isAdmin && !ASSETS.some(it => route.startsWith(basePath + it))
    if (own.has(socket) ? isOther : isAdmin) return reply.callNotFound()
  })
}, { name: 'admin-listener', fastify: '5.x', dependencies: ['drain', 'allowed-methods'] })
