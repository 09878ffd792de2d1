import closeWithGrace from 'close-with-grace'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { setTimeout } from 'node:timers/promises'
import app from './app.js'
import { loadConfig, type Config } from './config.js'
import { ConfigError } from '@frontdesk/service-kit/settings'
import { refuseDatabase } from '@frontdesk/service-kit/doctor/database'
import { Keys } from './keys/keys.js'
import { warnOfFewFiles } from '@frontdesk/service-kit/open-files'
import { MAX_CONNECTIONS } from '@frontdesk/service-kit/sockets/connections'
import { logStream } from '@frontdesk/service-kit/log-stream'
import { serverOptions } from './server-options.js'
import { Revocations } from './revocations/revocations.js'
import { SearchIndexer } from './stores/search/search-indexer.js'
import { openDatabase } from './stores/open.js'

/** How long the first requests wait for keys that are on their way, in milliseconds. */
const FIRST_KEYS = 1_000

try {
  await serve()
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

async function serve () {
  const config = loadConfig()
  const http = Fastify(serverOptions(config, logStream()))
  const { stores, pool, queueAge, ahead, close } = await openDatabase(config).catch(error => { throw refuseDatabase(config.databaseUrl, error) })
  const keys = config.auth === null ? null : new Keys({ url: config.auth.jwksUrl, log: http.log })
  const searchIndexer = new SearchIndexer(stores.searchIndex, http.log)
  const revocations = makeRevocations(config, http.log)
  http.addHook('onClose', async () => {
    keys?.stop()
    revocations?.stop()
    await searchIndexer.stop()
    await close()
  })
  await http.register(app, { config, stores, keys, revocations, pool, queueAge, ahead })
  // A load balancer may send requests as soon as it can connect. Without keys the service answers 503 and says why.
  await Promise.race([Promise.all([keys?.start(), revocations?.start()]), setTimeout(FIRST_KEYS, undefined, { ref: false })])
  await http.listen({ host: config.host, port: config.port, backlog: MAX_CONNECTIONS })
  searchIndexer.start()
  if (config.production && config.auth?.jwksUrl.startsWith('http:')) http.log.warn('JWKS_URL is plain http: fit for a network where nobody else can answer')
  const fewFiles = warnOfFewFiles()
  if (fewFiles !== undefined) http.log.warn(fewFiles)
  if (config.auth === null) http.log.warn('AUTH=none: everybody who reaches this service can read and change every customer')
  closeWithGrace({ delay: 10_000, logger: http.log }, async ({ err }) => {
    if (err !== undefined) http.log.fatal({ err }, 'a mistake in this service; it stops')
    await http.drain()
    await http.close()
  })
}

function makeRevocations ({ auth }: Config, log: FastifyBaseLogger): Revocations | null {
  if (auth === null || auth.revocationsUrl === null) return null
  return new Revocations({ url: auth.revocationsUrl, maxAge: auth.revocationsMaxAge, log })
}

function explain (error: unknown) {
  if (error instanceof ConfigError) return error.message
  // as: what Node throws has a code.
  const { code, port, address, hostname, message } = error as { code?: string, port?: number, address?: string, hostname?: string, message?: string }
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && hostname !== undefined)) return `HOST ${address ?? hostname} is no address of this machine. Set it to one, or to 0.0.0.0 for all.`
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Stop what listens there, or set PORT to another.`
  if (code === 'EMFILE' || code === 'ENFILE') return 'No more files and connections may be opened. Raise the limit, as with ulimit -n 65536.'
  return `customer-service cannot start: ${message ?? String(error)}`
}
