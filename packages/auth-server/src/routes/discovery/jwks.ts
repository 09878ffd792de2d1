import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Jwks } from '@frontdesk/schemas/jwks'
import type { KeyRing } from '../../keys/key-ring.js'

/** The public keys that verify access tokens (RFC 7517 §5). */
const jwks: FastifyPluginAsyncTypebox<{ keys: KeyRing }> = async function jwks (fastify, { keys }) {
  let served: { set: Jwks, document: Buffer } | undefined
  fastify.get('/.well-known/jwks.json', {
    config: { vital: true },
    schema: { operationId: 'getJwks', summary: 'Public keys', tags: ['OAuth 2.0'], response: { 200: Jwks } }
  }, async (request, reply) => {
    const set = keys.jwks()
    if (served?.set !== set) served = { set, document: Buffer.from(JSON.stringify(set)) }
    return reply.headers({ 'cache-control': 'public, max-age=300' }).sendDocument(served.document)
  })
}
export default jwks
