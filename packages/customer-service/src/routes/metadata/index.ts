import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { ProtectedResourceMetadata } from '@frontdesk/schemas/metadata'
import type { FastifyInstance } from 'fastify'
import type { Auth } from '../../config.js'

const schema = {
  operationId: 'getProtectedResourceMetadata',
  summary: 'What access tokens this service takes, and from whom (RFC 9728)',
  tags: ['discovery'],
  response: { 200: ProtectedResourceMetadata }
}

/** Where the metadata is, below the origin. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** `GET /.well-known/oauth-protected-resource`; a resource whose address has a path finds it after that (RFC 9728 §3.1). */
export default async function protectedResource (fastify: FastifyInstance, { auth, place }: { auth: Auth, place: string }) {
  const metadata: ProtectedResourceMetadata = {
    resource: auth.audience,
    authorization_servers: [auth.issuer],
    scopes_supported: Object.keys(customerScopes),
    bearer_methods_supported: ['header']
  }
  const document = Buffer.from(JSON.stringify(metadata))
  for (const suffix of new Set(['', place])) {
    // One document has one operation: the one where RFC 9728 puts it.
    fastify.get(METADATA_PATH + suffix, { schema: { ...schema, hide: suffix !== place } }, async (request, reply) => {
      return await reply.header('Cache-Control', 'public, max-age=300').sendDocument(document)
    })
  }
}
