import type { FastifyPluginAsync } from 'fastify'
import { renderLinks } from '@frontdesk/service-kit/pages/markdown'

/** `GET /llms.txt`: what programs can read about this server. */
const llmsTxt: FastifyPluginAsync = async function llmsTxt (fastify) {
  const { prefix } = fastify
  const text = Buffer.from(renderLinks({
    title: 'Authorization server',
    summary: 'Users sign in here and decide what apps may do. Apps get OAuth 2.0 access tokens and OpenID Connect ID tokens.',
    links: [
      {
        text: 'Metadata',
        url: `/.well-known/oauth-authorization-server${prefix}`,
        description: 'the endpoints, grants, scopes and algorithms (RFC 8414)'
      },
      { text: 'OpenAPI document', url: `${prefix}/openapi.json`, description: 'each endpoint, with its parameters and responses' },
      { text: 'Errors', url: `${prefix}/problems.md`, description: 'each kind of error, and what to do' },
      {
        text: 'Leave the implicit grant',
        url: `${prefix}/leave-implicit.md`,
        description: 'how to change an app to the authorization code grant'
      }
    ]
  }))
  fastify.get('/llms.txt', { schema: { hide: true } }, async (request, reply) =>
    reply.sendDocument(text, 'text/plain; charset=utf-8'))
}
export default llmsTxt
