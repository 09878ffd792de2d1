import { databaseName } from '@frontdesk/service-kit/doctor/database'
import { databaseError } from '@frontdesk/service-kit/doctor/database-error'
import { logStream } from '@frontdesk/service-kit/log-stream'
import { listen, run } from '@frontdesk/service-kit/serve'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { setTimeout } from 'node:timers/promises'
import app from './app.js'
import { loadConfig, type Config } from './config.js'
import { Keys } from './keys/keys.js'
import { Revocations } from './revocations/revocations.js'
import { serverOptions } from './server-options.js'
import { openDatabase } from './stores/open.js'

/** How long to wait for the first keys before listening, in milliseconds. */
const FIRST_KEYS_WAIT_MS = 1_000

await run('customer-service', async () => {
  const config = loadConfig()
  const http = Fastify(serverOptions(config, logStream('customer-service')))
  const database = await openDatabase(config).catch(error => { throw databaseError(config.databaseUrl, error) })
  const { stores, pool, queueAge, ahead, close } = database
  const createdDatabase = database.isNew ? databaseName(config.databaseUrl) : undefined
  const keys = config.auth === null ? null : new Keys({ url: config.auth.jwksUrl, log: http.log })
  const revocations = makeRevocations(config, http.log)
  http.addHook('onClose', async () => {
    keys?.stop()
    revocations?.stop()
    await stores.backfill.stop()
    await close()
  })
  await http.register(app, { config, stores, keys, revocations, pool, queueAge, ahead, createdDatabase })
  // Load balancers may send requests as soon as they can connect; without keys, the response is 503.
  await Promise.race([Promise.all([keys?.start(), revocations?.start()]), setTimeout(FIRST_KEYS_WAIT_MS, undefined, { ref: false })])
  await listen(http, config)
  // If it fails, the next list tries again.
  stores.backfill.run().catch(err => { http.log.warn({ err }, 'cannot index customers that another program wrote') })
  if (config.production && config.auth?.jwksUrl.startsWith('http:')) {
    http.log.warn('JWKS_URL is plain http: use this only on a network where no other server can respond')
  }
  if (config.auth === null) http.log.warn('AUTH=none: anyone who can reach this service can read and change every customer')
})

function makeRevocations ({ auth }: Config, log: FastifyBaseLogger): Revocations | null {
  if (auth === null || auth.revocationsUrl === null) return null
  return new Revocations({ url: auth.revocationsUrl, maxAge: auth.revocationsMaxAge, log })
}
