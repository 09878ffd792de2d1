import closeWithGrace from 'close-with-grace'
import Fastify from 'fastify'
import pRetry from 'p-retry'
import app from './app.js'
import { loadConfig, type Config } from './config.js'
import { ConfigError } from '@frontdesk/service-kit/settings'
import { makeDemo, refuseDemo } from './demo.js'
import { refuseDatabase } from '@frontdesk/service-kit/doctor/database'
import { openKeyRing } from './keys/key-ring.js'
import { warnOfFewFiles } from '@frontdesk/service-kit/open-files'
import { MAX_CONNECTIONS } from '@frontdesk/service-kit/sockets/connections'
import { logStream } from '@frontdesk/service-kit/log-stream'
import { serverOptions } from './server-options.js'
import { cacheClients } from './stores/client-cache.js'
import { openStores } from './stores/stores.js'
import { isReadOnly, isUnavailable } from '@frontdesk/database/unavailable'

try {
  await serve()
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

function explain (error: unknown): string {
  if (error instanceof ConfigError) return error.message
  return `auth-server cannot start. ${error instanceof Error ? error.message : error}`
}

async function serve (): Promise<void> {
  const config = loadConfig()
  const { stores, keys } = await open(config).catch(error => { throw refuseDatabase(config.databaseUrl, error) })

  const fastify = Fastify(serverOptions(config, logStream()))
  // Hooks run from the last to the first: the app has written everything by then.
  fastify.addHook('onClose', () => stores.close())
  await fastify.register(app, { config, stores, keys, isUnavailable })
  await fastify.listen({ host: config.host, port: config.port, backlog: MAX_CONNECTIONS }).catch(error => {
    if (error.code === 'EADDRINUSE') throw new ConfigError([`PORT ${config.port} is taken. Stop what listens there, or set PORT to another.`])
    if (/^(EADDRNOTAVAIL|ENOTFOUND)$/.test(error.code)) throw new ConfigError([`HOST ${config.host} is no address of this machine. Set it to one, or to 0.0.0.0 for all.`])
    if (/^(EMFILE|ENFILE)$/.test(error.code)) throw new ConfigError(['No more files and connections may be opened. Raise the limit, as with ulimit -n 65536.'])
    throw error
  })

  const fewFiles = warnOfFewFiles()
  if (fewFiles !== undefined) fastify.log.warn(fewFiles)
  closeWithGrace({ delay: 9_500, logger: fastify.log }, async ({ err }) => {
    if (err !== undefined) fastify.log.fatal({ err }, 'stopping after an error nobody caught')
    await fastify.drain()
    await fastify.close()
  })
}

/** Opens the database, and finds or makes in it what a server begins with. */
async function open (config: Config) {
  const opened = await openStores(config.databaseUrl, config.database)
  const stores = { ...opened, clients: cacheClients(opened.clients) }
  if (config.production) await refuseDemo(stores)
  const keys = await whileUnavailable(async () => {
    if (config.demoCallback !== undefined || config.demoDocsCallback !== undefined) await makeDemo(opened, config)
    return await openKeyRing(stores.signingKeys, config)
  })
  return { stores, keys }
}

/** Tries for some seconds: processes that start together write one after the other. @param work can be begun anew */
async function whileUnavailable<T> (work: () => Promise<T>): Promise<T> {
  return await pRetry(work, { retries: 12, minTimeout: 100, maxTimeout: 1_000, randomize: true, shouldRetry: ({ error }) => isUnavailable(error) && !isReadOnly(error) })
}
