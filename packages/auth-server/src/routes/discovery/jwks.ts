import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Jwks } from '@frontdesk/schemas/jwks'

/** The public keys that verify access tokens and ID tokens (RFC 7517 §5). */
const jwks: FastifyPluginAsyncTypebox<{ published: () => Jwks }> = async function jwks (fastify, { published }) {
  let served: { set: Jwks, document: Buffer } | undefined
  fastify.get('/.well-known/jwks.json', {
    config: { vital: true, polled: true },
    schema: { operationId: 'getJwks', summary: 'Public keys', tags: ['OAuth 2.0'], response: { 200: Jwks } }
  }, async (request, reply) => {
    const set = published()
    if (served?.set !== set) served = { set, document: Buffer.from(JSON.stringify(set)) }
    return reply.headers({ 'cache-control': 'public, max-age=300' }).sendDocument(served.document)
  })
}
export default jwks
