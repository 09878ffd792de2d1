import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { REVOCATIONS_PATH, RevocationList } from '@frontdesk/schemas/revocations'
import { Type } from '@sinclair/typebox'
import { oauthError } from '../oauth/errors.js'
import { parseParameters, single } from '../oauth/parameters.js'
import type { Revocation, Revocations } from '../stores/revocations.js'
import { pageOrProblem } from './answers.js'

/** Entries of an answer: those of some 40 KB. */
const LIMIT = 500

/** How far back an answer looks again, in milliseconds: clocks differ, and a row is there only when it is committed. */
const OVERLAP = 60_000

/**
 * `GET /revocations`: what was revoked before its tokens ended, for who accepts tokens. Open to everybody, as the keys
 * are: the ids are random, and say nothing of people or apps.
 */
const revocations: FastifyPluginAsyncTypebox<{ revocations: Revocations }> = async function revocations (fastify, { revocations }) {
  fastify.get(REVOCATIONS_PATH, {
    schema: {
      operationId: 'listRevocations',
      summary: 'Revoked access',
      description: 'Access that was taken back before its tokens ended. Ask every few seconds, with `after` of the answer before.',
      tags: ['OAuth 2.0'],
      querystring: Type.Object({ after: Type.Optional(Type.String({ description: '`next` of the answer before; left out: everything.' })) }),
      response: { 200: RevocationList, '4xx': pageOrProblem, '5xx': pageOrProblem }
    },
    validatorCompiler: () => () => true
  }, async (request, reply) => {
    const after = readAfter(request.url)
    const now = fastify.clock.now().getTime()
    const found = await revocations.after(after, LIMIT)
    const last = found.at(-1)
    const more = found.length === LIMIT
    // Very many may be of one time: all that one person removes at once.
    const next = more && last !== undefined ? `${last.revokedAt.getTime()}~${last.id}` : `${Math.max(after.revokedAt.getTime(), now - OVERLAP)}`
    return await reply.header('cache-control', 'no-store').send({
      revoked: found.map(({ id, endsAt, notBefore }) => ({ id, ends: Math.ceil(endsAt.getTime() / 1_000), ...(notBefore && { before: Math.ceil(notBefore.getTime() / 1_000) }) })),
      next,
      more
    })
  })
}
export default revocations

/** @returns where an answer goes on: after this revocation, in the order of their times and ids */
function readAfter (url: string): Pick<Revocation, 'revokedAt' | 'id'> {
  const [, query = ''] = url.split('?')
  const after = single(parseParameters(query), 'after') ?? '0'
  const [, time, id = ''] = /^(\d{1,15})(?:~([\w-]{1,100}))?$/.exec(after) ?? []
  if (time === undefined) throw oauthError('malformedRequest', 'after is no next of an answer')
  return { revokedAt: new Date(Number(time)), id }
}
