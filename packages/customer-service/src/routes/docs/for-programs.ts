import { MARKDOWN, renderLinks } from '@frontdesk/service-kit/pages/markdown'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.js'
import { renderReference, type ReferenceDocument } from '../../docs/reference-markdown.js'
import { mcpResource } from '../metadata/index.js'
import { page } from './page.js'

/** `GET /llms.txt`: what programs can read about this service; `GET /docs.md`: the API reference in Markdown. */
export default async function forPrograms (fastify: FastifyInstance, { config }: { config: Config }) {
  const { auth, docs, mcp } = config
  const { prefix } = fastify
  const list = Buffer.from(renderLinks({
    title: 'Customer register',
    summary: 'An HTTP API to register, find, change and remove customers.',
    links: [
      ...(docs === null
        ? []
        : [{ text: 'API reference', url: `${prefix}/docs.md`, description: 'each operation, with parameters, scopes and an example' }]),
      { text: 'OpenAPI document', url: `${prefix}/openapi.json`, description: 'the same operations, with all schemas' },
      { text: 'Problems', url: `${prefix}/problems.md`, description: 'each kind of error, with its cause and what to do' },
      ...(mcp ? [{ text: 'MCP', url: mcpResource(config), description: 'tools for assistants; POST only' }] : []),
      ...(auth === null
        ? []
        : [{
            text: 'Protected resource metadata',
            url: `/.well-known/oauth-protected-resource${prefix}`,
            description: 'the authorization server and the scopes of access tokens'
          }])
    ]
  }))
  const tags = ['discovery']
  const listSchema = { operationId: 'listDocuments', summary: 'List what programs can read', tags, response: page('text/plain') }
  fastify.get('/llms.txt', { schema: listSchema }, async (request, reply) =>
    await reply.header('Cache-Control', 'no-cache').sendDocument(list, 'text/plain; charset=utf-8'))

  if (docs === null) return
  let reference: Buffer | undefined
  const response = page('text/markdown')
  const schema = { operationId: 'readApiReference', summary: 'Show the API reference in Markdown', tags, response }
  fastify.get('/docs.md', { schema }, async (request, reply) => {
    // as: the plugin openapi generates it from the schemas of the routes.
    reference ??= Buffer.from(renderReference(fastify.swagger() as unknown as ReferenceDocument, prefix))
    return await reply.header('Cache-Control', 'no-cache').sendDocument(reference, MARKDOWN)
  })
}
