import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Jwks } from '@frontdesk/schemas/jwks'
import type { KeyRing } from '../keys/key-ring.js'

/** The public keys that verify access tokens (RFC 7517 §5). */
const jwks: FastifyPluginAsyncTypebox<{ keys: KeyRing }> = async function jwks (fastify, { keys }) {
  fastify.get('/.well-known/jwks.json', {
    schema: { operationId: 'getJwks', summary: 'Public keys', tags: ['OAuth 2.0'], response: { 200: Jwks } }
  }, async (request, reply) => {
    return reply.headers({ 'cache-control': 'public, max-age=300' }).send(keys.jwks())
  })
}
export default jwks
