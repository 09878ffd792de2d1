import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { Auth, Docs } from '../../config.js'
import { designFiles, readAsset, type Asset } from '../../docs/assets.js'
import { renderPage } from '../../docs/page.js'
import { matchesAny } from '@frontdesk/service-kit/etags'

interface ApiReferenceOptions {
  /** `null`: no access tokens are needed. */
  auth: Readonly<Auth> | null
  docs: Readonly<Docs>
}

const ours = new URL('../../../../public/', import.meta.url)
// Only the copy of Swagger UI: the plugin's own page does not fit phones.
const theirs = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))

const FILES: ReadonlyArray<[folder: URL, name: string, type: string, before?: URL[]]> = [
  [ours, 'icon.svg', 'image/svg+xml'],
  [ours, 'reference.css', 'text/css; charset=utf-8', designFiles()],
  [ours, 'reference.js', 'text/javascript; charset=utf-8'],
  [theirs, 'swagger-ui.css', 'text/css; charset=utf-8'],
  [theirs, 'swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  [theirs, 'oauth2-redirect.html', 'text/html; charset=utf-8'],
  [theirs, 'oauth2-redirect.js', 'text/javascript; charset=utf-8']
]

const schema = {
  operationId: 'showApiReference',
  summary: 'Show the API reference',
  tags: ['discovery'],
  response: { 200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } } }
}

/** `GET /docs`: the API reference, which can send requests; `GET /` redirects to it. */
export default async function apiReference (fastify: FastifyInstance, { auth, docs }: ApiReferenceOptions) {
  const scopes = auth === null ? [] : Object.keys(customerScopes)
  const page = Buffer.from(renderPage({ prefix: fastify.prefix, clientId: docs.clientId, scopes }))
  const csp = policy(auth)
  fastify.addHook('onRequest', async (request, reply) => { reply.headers({ 'Content-Security-Policy': csp, 'Cache-Control': 'no-cache' }) })

  // For users who enter only the host.
  fastify.get('/', { schema: { hide: true } }, async (request, reply) => await reply.redirect(`${fastify.prefix}/docs`))

  fastify.get('/docs', { schema }, async (request, reply) => await reply.sendDocument(page, 'text/html; charset=utf-8'))

  // Single-flight: concurrent requests wait for the same read.
  const assets = new Map<string, Promise<Asset>>()
  const load = async (name: string, files: URL[]) => await readAsset(...files).catch(error => {
    assets.delete(name)
    throw error
  })
  for (const [folder, name, type, before = []] of FILES) {
    fastify.get(`/docs/static/${name}`, { schema: { hide: true } }, async (request, reply) => {
      const loading = assets.get(name) ?? load(name, [...before, new URL(name, folder)])
      assets.set(name, loading)
      const asset = await loading
      reply.header('ETag', asset.etag)
      if (matchesAny(request.headers['if-none-match'], asset.etag)) return await reply.code(304).send()
      return await reply.sendDocument(asset.content, type)
    })
  }
}

/**
 * Allows scripts and styles of this origin only; scripts read responses of the issuer's `/token`. Without
 * Cross-Origin-Opener-Policy: the sign-in popup sends the response to this page.
 */
function policy (auth: ApiReferenceOptions['auth']) {
  const issuer = auth === null ? '' : ` ${new URL(auth.issuer).origin}`
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'${issuer}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}
