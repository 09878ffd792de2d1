import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readFile } from 'node:fs/promises'
import { page } from '../responses.js'

/** `GET /leave-implicit`: a guide for developers to leave the implicit grant. The `Link` header of deprecated responses leads here. */
const leaveImplicit: FastifyPluginAsyncTypebox<{ issuer: string }> = async function leaveImplicit (fastify, { issuer }) {
  const code = (await readFile(new URL('../../../../views/leave-implicit.js', import.meta.url), 'utf8'))
    .replace('https://auth.example', () => issuer).trimEnd()
  fastify.get('/leave-implicit', {
    schema: {
      operationId: 'explainLeavingImplicit',
      summary: 'Guide: leave the implicit grant',
      tags: ['OAuth 2.0'],
      response: { 200: page }
    }
  }, async (request, reply) =>
    await reply.page('leave-implicit', { title: 'Leave the implicit grant', issuer, host: new URL(issuer).host, code, isDocument: true, isEnglish: true }))
}
export default leaveImplicit
