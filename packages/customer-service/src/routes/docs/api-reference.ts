import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { createAsset, readAsset, readStylesheet, type Asset } from '@frontdesk/service-kit/pages/asset'
import type { FastifyInstance } from 'fastify'
import type { Auth, Docs } from '../../config.js'
import { renderPage } from '../../docs/page.js'
import { page } from './page.js'

interface ApiReferenceOptions {
  /** `null`: no access tokens are needed. */
  auth: Readonly<Auth> | null
  docs: Readonly<Docs>
}

const ours = new URL('../../../../public/', import.meta.url)
// Only the copy of Swagger UI: the plugin's own page does not fit phones.
const theirs = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))

const FILES: ReadonlyArray<[folder: URL, name: string]> = [
  [ours, 'icon.svg'],
  [ours, 'reference.css'],
  [ours, 'reference.js'],
  [theirs, 'swagger-ui.css'],
  [theirs, 'swagger-ui-bundle.js'],
  [theirs, 'oauth2-redirect.html'],
  [theirs, 'oauth2-redirect.js']
]

const schema = {
  operationId: 'showApiReference',
  summary: 'Show the API reference',
  tags: ['discovery'],
  response: page('text/html')
}

/** `GET /docs`: the API reference, which can send requests; `GET /` redirects to it. */
export default async function apiReference (fastify: FastifyInstance, { auth, docs }: ApiReferenceOptions) {
  const scopes = auth === null ? [] : Object.keys(customerScopes)
  const html = Buffer.from(renderPage({ prefix: fastify.prefix, clientId: docs.clientId, scopes }))
  const csp = policy(auth)
  fastify.addHook('onRequest', async (request, reply) => { reply.headers({ 'Content-Security-Policy': csp, 'Cache-Control': 'no-cache' }) })

  // For users who enter only the host.
  fastify.get('/', { schema: { hide: true } }, async (request, reply) => await reply.redirect(`${fastify.prefix}/docs`))

  fastify.get('/docs', { schema }, async (request, reply) => await reply.sendDocument(html, 'text/html; charset=utf-8'))

  // Single-flight: concurrent requests wait for the same read.
  const assets = new Map<string, Promise<Asset>>()
  for (const [folder, name] of FILES) {
    const load = async () => await readFile(new URL(name, folder)).catch(error => {
      assets.delete(name)
      throw error
    })
    fastify.get(`/docs/static/${name}`, { schema: { hide: true } }, async (request, reply) => {
      const loading = assets.get(name) ?? load()
      assets.set(name, loading)
      return await reply.sendAsset(await loading, 'no-cache')
    })
  }
}

/** Reads a file; this service's stylesheet begins with the common design. */
async function readFile (file: URL): Promise<Asset> {
  return file.href.endsWith('/reference.css') ? createAsset(await readStylesheet([file]), 'reference.css') : await readAsset(file)
}

/**
 * Allows scripts and styles of this origin only; scripts read responses of the issuer's `/token`. Without
 * Cross-Origin-Opener-Policy: the sign-in popup sends the response to this page.
 */
function policy (auth: ApiReferenceOptions['auth']) {
  const issuer = auth === null ? '' : ` ${new URL(auth.issuer).origin}`
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'${issuer}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}
