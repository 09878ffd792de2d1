import closeWithGrace from 'close-with-grace'
import Fastify from 'fastify'
import { setTimeout } from 'node:timers/promises'
import app from './app.js'
import { ConfigError, loadConfig } from './config.js'
import { makeDemo, refuseDemo } from './demo.js'
import { openKeyRing } from './keys/key-ring.js'
import { serverOptions } from './server-options.js'
import { isUnavailable } from './stores/prisma/generated/database/unavailable.js'
import { openStores } from './stores/prisma/open.js'

/** How long load balancers get to see that the process leaves, in milliseconds. */
const NOTICE = 500
/** How long requests in flight may take to end, in milliseconds. */
const PATIENCE = 7_000

try {
  await serve()
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `auth-server cannot start. ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}

async function serve (): Promise<void> {
  const config = loadConfig()
  const stores = await openStores(config.databaseUrl)
  if (config.production) await refuseDemo(stores)
  if (config.demoCallback !== undefined) await makeDemo(stores, config.demoCallback)
  const keys = await openKeyRing(stores.signingKeys, config)

  const fastify = Fastify(serverOptions(config))
  await fastify.register(app, { config, stores, keys, isUnavailable })
  fastify.addHook('onClose', () => stores.close())
  await fastify.listen({ host: config.host, port: config.port })

  closeWithGrace({ delay: NOTICE + PATIENCE + 1_500, logger: fastify.log }, async ({ err }) => {
    if (err !== undefined) fastify.log.fatal({ err }, 'stopping after an error nobody caught')
    fastify.drain()
    await setTimeout(NOTICE)
    // A sender that never ends its request must not keep the process.
    globalThis.setTimeout(() => fastify.server.closeAllConnections(), PATIENCE).unref()
    await fastify.close()
  })
}
