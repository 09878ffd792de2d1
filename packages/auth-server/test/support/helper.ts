import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import type { Test } from 'tap'
import app from '../../src/app.js'
// What these add to Fastify's types.
import type {} from '../../src/plugins/audit.js'
import type {} from '@frontdesk/service-kit/plugins/drain'
import { loadConfig } from '../../src/config.js'
import { openIdTokenSigner } from '../../src/keys/id-token-signer.js'
import { openKeyRing } from '../../src/keys/key-ring.js'
import { cost, hashPassword, STANDARD_COST } from '../../src/sign-in/password.js'
import { serverOptions } from '../../src/server-options.js'
import type { NewClient } from '../../src/stores/clients/client-row.js'
import { cacheClients, forgetAfterChanges } from '../../src/stores/clients/client-cache.js'
import { openStores, type Stores } from '../../src/stores/stores.js'
import { temporaryDatabase } from './database.js'
import { reuseRsaKeys } from './rsa-keys.js'

/** The app, its database and what it logged. */
export interface Built {
  app: FastifyInstance
  stores: Stores
  logs: string[]
  databaseUrl: string
  routes: Array<{ method: string, url: string }>
}

export const CALLBACK = 'https://app.example/cb'

/** A client with one callback, with any changes. */
export const client = (changes: Partial<NewClient> = {}): NewClient => ({
  id: 'app',
  name: 'An app',
  callbacks: [CALLBACK],
  resources: [],
  defaultScope: 'customer:read',
  accessTokenTtl: null,
  implicit: 'allowed',
  grantTypes: [],
  demo: false,
  ...changes
})

/** The app on a real database, with the client `app` and the person `ann`, password `correct horse`. */
export async function build (t: Test, env: Record<string, string> = {}): Promise<Built> {
  const databaseUrl = env.DATABASE_URL ?? await temporaryDatabase(t)
  const config = loadConfig({ ISSUER: 'https://id.example', DEFAULT_AUDIENCE: 'https://api.example', ...env, DATABASE_URL: databaseUrl })
  // On a busy machine, a crowd would wait longer for a connection or a locked row than it may.
  const timeouts = { connectTimeout: 60_000, ...env.DATABASE_STATEMENT_TIMEOUT === undefined && { statementTimeout: 60_000 } }
  const opened = await openStores(config.databaseUrl, { ...config.database, ...timeouts })
  const cached = cacheClients(opened)
  // In production, such changes come from other processes, and take two seconds.
  const stores = { ...cached, clients: forgetAfterChanges(cached.clients, cached.clients.forget) }
  await stores.clients.put(client())
  await stores.users.add({ id: randomUUID(), username: 'ann', passwordHash: await passwordHash, demo: false })
  const keys = await openKeyRing(stores.signingKeys, config)
  const idTokens = await openIdTokenSigner(stores.idTokenKeys, config)
  const logs: string[] = []
  const stream = new Writable({ write (line, _, done) { logs.push(String(line)); done() } })
  const fastify = Fastify({ ...serverOptions(config), logger: { level: 'trace', stream } })
  const routes: Built['routes'] = []
  fastify.addHook('onRoute', ({ method, url }) => { routes.push(...[method].flat().map(method => ({ method, url }))) })
  await fastify.register(app, { config, stores, keys, idTokens })
  t.teardown(async () => {
    await fastify.close()
    await stores.close()
  })
  return { app: fastify, stores, logs, databaseUrl, routes }
}

const CHEAP = { memoryCost: 8, timeCost: 1 }
// A hundredth of the usual time: tests sign in thousands of times, on threads that give way to every other process.
Object.assign(cost, CHEAP)

/** Passwords cost as much as in production until the end of the test. */
export function standardCost (t: Test): void {
  Object.assign(cost, STANDARD_COST)
  t.teardown(() => Object.assign(cost, CHEAP))
}

reuseRsaKeys()

const passwordHash = hashPassword('correct horse')

/** The query of a valid request, with changes. */
export function query (changes: Record<string, string | undefined> = {}): string {
  const parameters = { response_type: 'token', client_id: 'app', redirect_uri: CALLBACK, state: 's', ...changes }
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&')
}

/** A browser: keeps cookies, sends forms as browsers do. */
export class Browser {
  readonly cookies: Map<string, string>
  readonly #app: FastifyInstance
  readonly #address: string

  constructor (app: FastifyInstance, address = '192.0.2.1', cookies = new Map<string, string>()) {
    this.cookies = cookies
    this.#app = app
    this.#address = address
  }

  async get (url: string): Promise<LightMyRequestResponse> {
    return this.#keep(await this.#app.inject({ url, headers: this.#headers(), remoteAddress: this.#address }))
  }

  /** Sends a form with a file. */
  async upload (url: string, form: FormData): Promise<LightMyRequestResponse> {
    const request = new Request('https://id.example', { method: 'POST', body: form })
    const headers = { ...this.#headers(), 'content-type': request.headers.get('content-type') ?? '' }
    const payload = Buffer.from(await request.arrayBuffer())
    return this.#keep(await this.#app.inject({ method: 'POST', url, headers, payload, remoteAddress: this.#address }))
  }

  async post (url: string, form: Record<string, string> | string): Promise<LightMyRequestResponse> {
    const payload = typeof form === 'string' ? form : new URLSearchParams(form).toString()
    const headers = { ...this.#headers(), 'content-type': 'application/x-www-form-urlencoded' }
    return this.#keep(await this.#app.inject({ method: 'POST', url, headers, payload, remoteAddress: this.#address }))
  }

  /** Opens the consent page of a request; gives the hidden field. */
  async consent (search = query()): Promise<string> {
    return formTokenOf(await this.get(`/consent?${search}`))
  }

  /** Opens the consent page and presses Allow. */
  async allow (
    search = query(),
    credentials: Record<string, string> = { username: 'ann', password: 'correct horse' }
  ): Promise<LightMyRequestResponse> {
    return await this.post(`/consent?${search}`, { transaction: await this.consent(search), decision: 'allow', ...credentials })
  }

  #headers () {
    return { accept: 'text/html', cookie: [...this.cookies].map(pair => pair.join('=')).join('; ') }
  }

  #keep (response: LightMyRequestResponse) {
    for (const { name, value } of response.cookies) {
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }
}

/** A page without its form token and challenge, which differ each time, and what was typed. */
export function withoutValues ({ body }: Pick<LightMyRequestResponse, 'body'>): string {
  return body.replace(/(value|data-passkey)="[^"]*"/g, '')
}

/** The hidden field of a consent page. */
export function formTokenOf (response: Pick<LightMyRequestResponse, 'body'>): string {
  return /name="transaction" value="([^"]+)"/.exec(response.body)?.[1] ?? ''
}

/** The fragment of an answer to the callback. */
export function fragmentOf (response: LightMyRequestResponse): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(String(response.headers.location).split('#')[1]))
}
