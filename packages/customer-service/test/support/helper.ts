import Fastify, { type InjectOptions } from 'fastify'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import app, { type AppOptions } from '../../src/app.js'
// What it adds to Fastify's types.
import type {} from '@frontdesk/service-kit/plugins/allowed-methods'
import type {} from '@frontdesk/service-kit/plugins/drain'
import { loadConfig } from '../../src/config.js'
import { Keys } from '../../src/keys/keys.js'
import { Revocations } from '../../src/revocations/revocations.js'
import { serverOptions } from '../../src/server-options.js'
import { openDatabase } from '../../src/stores/open.js'
import { openClient } from '../../src/stores/client.js'
import { manageWebhooks } from '../../src/stores/webhooks/managed-webhooks.js'
import { waits } from '@frontdesk/database/waits'
import { createTemplate } from '@frontdesk/test-kit/database'
import { lengthen } from '@frontdesk/test-kit/lengthen'
import { startIssuer } from './issuer.js'

/** Until the end of the test, requests wait for the database as long as in production. */
export const standardWaits = lengthen(waits)

/** The resource of the four operations. */
export const PATH = '/rest/qa/customer'

/** A request to the service; a form is sent as one, `token: null` sends none. */
export interface Send {
  form?: Record<string, string | number> | string | Buffer
  token?: string | null
  headers?: Record<string, string>
}

/** A migrated database of its own, removed with the test. */
const temporaryDatabase = createTemplate(async url => {
  const { close } = await openDatabase(loadConfig({ ISSUER: 'https://id.example', AUDIENCE: 'https://api.example', DATABASE_URL: url }))
  await close()
})

/** The whole service on a database of its own, with an issuer of its own, and a client of Prisma on the same database. */
export async function build (...parameters: Parameters<typeof buildService>) {
  const service = await buildService(...parameters)
  const db = await openClient(service.config)
  parameters[0].teardown(() => db.$disconnect())
  return { ...service, db, webhooks: { ...service.webhooks, ...manageWebhooks(db, () => new Date()) } }
}

/** The whole service on a database of its own, with an issuer of its own. */
export async function buildService (t: Test, env: Record<string, string> = {}, options: Pick<AppOptions, 'queueAge'> = {}) {
  const issuer = await startIssuer(t)
  const databaseUrl = env.DATABASE_URL ?? await temporaryDatabase(t)
  const config = loadConfig({
    ISSUER: issuer.url,
    JWKS_URL: issuer.url,
    REVOCATIONS_URL: 'none',
    AUDIENCE: issuer.audience,
    DATABASE_URL: databaseUrl,
    ...env
  })
  const log: string[] = []
  const http = Fastify({ ...serverOptions(config), logger: { level: 'trace', stream: { write: line => { log.push(line) } } } })
  const { stores, connection, ahead, close } = await openDatabase(config)
  const keys = config.auth === null ? null : new Keys({ url: config.auth.jwksUrl, log: http.log })
  const url = config.auth?.revocationsUrl
  const revocations =
    config.auth === null || url == null ? null : new Revocations({ url, maxAge: config.auth.revocationsMaxAge, log: http.log })
  const routes: Array<{ method: string, url: string }> = []
  http.addHook('onRoute', ({ method, url }) => { routes.push(...[method].flat().map(method => ({ method, url }))) })
  await http.register(app, { config, stores, keys, revocations, ahead, ...options })
  t.teardown(async () => { keys?.stop(); revocations?.stop(); await http.close(); await close() })
  await keys?.start()
  await revocations?.start()
  const everything = await issuer.mint()

  /** Sends it again while a machine that is busy with something else makes the service refuse it, unless that is tested. */
  async function send (method: string, url: string, sent: Send = {}): ReturnType<typeof sendOnce> {
    const response = await sendOnce(method, url, sent)
    const isBusy = response.statusCode === 503 && response.body.includes('This service is receiving too many requests.')
    if (options.queueAge !== undefined || !isBusy) return response
    await setTimeout(100)
    return await send(method, url, sent)
  }

  async function sendOnce (method: string, url: string, { form, token = everything, headers = {} }: Send) {
    return await http.inject({
      // as: inject() takes any method; its types list the usual ones.
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers
      },
      ...(form === undefined ? {} : { payload: encode(form) })
    })
  }

  /** Registers a customer and gives its ETag. */
  async function register (id: number, name = 'charitha', address = 'piliyandala') {
    const { statusCode, headers, body } = await send('POST', PATH, {
      form: { customerid: id, customername: name, customerage: 33, customeraddress: address }
    })
    if (statusCode !== 201) throw new Error(body)
    return String(headers.etag)
  }

  /** The record of a customer, or the status that refuses it. */
  async function read (id: number) {
    const answer = await send('GET', `${PATH}/${id}`, { headers: { accept: 'application/json' } })
    return answer.statusCode === 200 ? answer.json() : answer.statusCode
  }

  /** Listens on a free port and gives it. */
  async function listen () {
    await http.listen({ host: '127.0.0.1', port: 0 })
    // as: a server that listens on a port has such an address.
    return (http.server.address() as AddressInfo).port
  }

  const { run } = connection
  return { http, issuer, config, ...stores, connection, run, routes, keys, revocations, log, everything, send, register, read, listen }
}

/** The same, for tests that no database has a part in: `npm test` runs those of {@link build} on PostgreSQL too. */
export const buildOnce = build

/** Writes a form as browsers do; text and bytes are left alone. */
export function encode (form: NonNullable<Send['form']>): string | Buffer {
  return typeof form === 'string' || Buffer.isBuffer(form)
    ? form
    : new URLSearchParams(Object.entries(form).map(([name, value]): [string, string] => [name, String(value)])).toString()
}
