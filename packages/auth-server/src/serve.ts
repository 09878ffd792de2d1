import { databaseName } from '@frontdesk/service-kit/doctor/database'
import { databaseError } from '@frontdesk/service-kit/doctor/database-error'
import { logStream } from '@frontdesk/service-kit/log-stream'
import { listen, run } from '@frontdesk/service-kit/serve'
import Fastify from 'fastify'
import pRetry from 'p-retry'
import app from './app.js'
import { loadConfig, type Config } from './config.js'
import { assertNoDemo, makeDemo } from './demo.js'
import { openIdTokenSigner } from './keys/id-token-signer.js'
import { openKeyRing } from './keys/key-ring.js'
import { serverOptions } from './server-options.js'
import { cacheClients } from './stores/clients/client-cache.js'
import { openStores } from './stores/stores.js'
import { isReadOnly, isUnavailable } from '@frontdesk/database/unavailable'

await run('auth-server', async () => {
  const config = loadConfig()
  const { stores, keys, idTokens } = await open(config).catch(error => { throw databaseError(config.databaseUrl, error) })

  const fastify = Fastify(serverOptions(config, logStream('auth-server')))
  // Hooks run in reverse order: by then, the app has written everything.
  fastify.addHook('onClose', () => stores.close())
  const createdDatabase = stores.isNew ? databaseName(config.databaseUrl) : undefined
  await fastify.register(app, { config, stores, keys, idTokens, createdDatabase })
  await listen(fastify, config)
})

/** Opens the database, and finds or makes the keys and the demo data. */
async function open (config: Config) {
  const opened = await openStores(config.databaseUrl, config.database)
  const stores = cacheClients(opened)
  if (config.production) await assertNoDemo(stores)
  const rings = await retryWhileUnavailable(async () => {
    if (config.demoCallback !== undefined || config.demoDocsCallback !== undefined) await makeDemo(opened, config)
    return { keys: await openKeyRing(stores.signingKeys, config), idTokens: await openIdTokenSigner(stores.idTokenKeys, config) }
  })
  return { stores, ...rings }
}

/** Retries with backoff for some seconds: processes that start together wait for each other's writes. @param work idempotent */
async function retryWhileUnavailable<T> (work: () => Promise<T>): Promise<T> {
  return await pRetry(work, {
    retries: 12,
    minTimeout: 100,
    maxTimeout: 1_000,
    randomize: true,
    shouldRetry: ({ error }) => isUnavailable(error) && !isReadOnly(error)
  })
}
