import { REVOCATIONS_PATH } from '@frontdesk/schemas/revocations'
import Fastify from 'fastify'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pRetry from 'p-retry'
import app from '../app.js'
import { loadConfig } from '../config.js'
import { openIdTokenSigner } from '../keys/id-token-signer.js'
import { openKeyRing } from '../keys/key-ring.js'
import { serverOptions } from '../server-options.js'
import { cacheClients } from '../stores/clients/client-cache.js'
import { openStores } from '../stores/stores.js'
import type { BadToken } from './bad-tokens.js'
import { createFixtures, type NewApp, type NewPerson, type TokenRequest } from './fixtures.js'

export type { BadToken, NewApp, NewPerson, TokenRequest }

/** How a test server starts. */
export interface StartOptions {
  /** `aud` of its tokens. Default: `http://localhost:3001`. */
  readonly audience?: string
  /** Its start time, from which the clock runs on. Default: this machine's time. */
  readonly now?: Date
  /** Settings of auth-server by environment variable, such as `{ SIGNING_ALG: 'RS256' }`. The environment is not read. */
  readonly settings?: Readonly<Record<string, string>>
}

/** An auth-server for tests. */
export interface TestServer {
  readonly issuer: string
  /** Address of its public keys. */
  readonly jwksUrl: string
  /** Address of its revocation feed. */
  readonly revocationsUrl: string
  /** Registers a client. @returns its secret, if it authenticates with one @throws if a field is not valid or the id is taken */
  addClient (client: NewApp): Promise<{ id: string, secret: string | undefined }>
  /** Adds a user. @returns `id`: the `sub` of their tokens @throws if the user name is taken */
  addPerson (person: NewPerson): Promise<{ id: string, username: string, password: string }>
  /** Signs an access token as `/token` does. @throws if the client is not registered */
  tokenFor (request: TokenRequest): Promise<string>
  /** Makes bad variants of the token that {@link tokenFor} would make. */
  badTokens (request: TokenRequest): Promise<BadToken[]>
  now (): Date
  /** Sets the time, from which the clock runs on. Rotates the key that signs access tokens if it is due. */
  setTime (time: Date): Promise<void>
  /** Advances the clock, or sets it back with a negative number. */
  advance (seconds: number): Promise<void>
  /** Stops the server, and removes its database. */
  close (): Promise<void>
}

/**
 * Starts an auth-server in this process, on a free port of loopback, with keys and a SQLite database of its own.
 * @throws ConfigError if a setting is not valid
 */
export async function start ({ audience = 'http://localhost:3001', now, settings = {} }: StartOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-auth-'))
  try {
    const databaseUrl = `file:${join(folder, 'auth.db')}`
    const env = { LOG_LEVEL: 'silent', HOST: '127.0.0.1', ...settings, DEFAULT_AUDIENCE: audience, DATABASE_URL: databaseUrl }
    // Another process can take the port before this one listens.
    return await pRetry(async () => await open(folder, env, now), {
      retries: 5,
      minTimeout: 0,
      shouldRetry: ({ error }) => 'code' in error && error.code === 'EADDRINUSE'
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function open (folder: string, env: Record<string, string>, time: Date | undefined): Promise<TestServer> {
  const port = await freePort()
  const config = loadConfig({ ...env, PORT: `${port}`, ISSUER: `http://127.0.0.1:${port}` })
  let ahead = time === undefined ? 0 : time.getTime() - Date.now()
  const clock = () => Date.now() + ahead
  const opened = await openStores(config.databaseUrl, { ...config.database, synchronous: 'NORMAL', clock })
  const stores = cacheClients(opened)
  const keys = await openKeyRing(stores.signingKeys, config)
  const idTokens = await openIdTokenSigner(stores.idTokenKeys, config)
  const fastify = Fastify({ ...serverOptions(config), forceCloseConnections: true })
  fastify.addHook('onClose', () => stores.close())
  try {
    await fastify.register(app, { config, stores, keys, idTokens })
    await fastify.listen({ host: config.host, port })
  } catch (error) {
    await fastify.close()
    throw error
  }

  async function setTime (time: Date) {
    ahead = time.getTime() - Date.now()
    await keys.refresh()
  }
  return {
    issuer: config.issuer,
    jwksUrl: `${config.issuer}/.well-known/jwks.json`,
    revocationsUrl: config.issuer + REVOCATIONS_PATH,
    ...createFixtures({ config, stores, keys }),
    now: () => stores.clock.now(),
    setTime,
    advance: async seconds => await setTime(new Date(clock() + seconds * 1_000)),
    async close () {
      await fastify.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

async function freePort (): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // as: it listens on a port.
  server.close()
  await once(server, 'close')
  return port
}
