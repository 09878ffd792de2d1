import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { REVOCATIONS_PATH, RevocationList } from '@frontdesk/schemas/revocations'
import { Type } from '@sinclair/typebox'
import { oauthError } from '../oauth/errors.js'
import { parseParameters, single } from '../oauth/parameters.js'
import type { Revocation, Revocations } from '../stores/revocations.js'
import { pageOrProblem } from './answers.js'

/** Entries of an answer: those of some 40 KB. */
const LIMIT = 500

/** How far back an answer looks again, in milliseconds: a row can be read only once it is committed. */
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
    const now = fastify.clock.now().getTime()
    const after = readAfter(request.url, now)
    const found = await revocations.after(after, LIMIT)
    const last = found.at(-1)
    const more = found.length === LIMIT
    // Many may have one time. At the end of the list it goes back: a row may be committed after later ones.
    const next = more && last !== undefined ? `${last.revokedAt.getTime()}~${last.id}` : `${now - OVERLAP}`
    return await reply.header('cache-control', 'no-store').send({
      revoked: found.map(({ id, endsAt, notBefore }) => ({ id, ends: Math.ceil(endsAt.getTime() / 1_000), ...(notBefore && { before: Math.ceil(notBefore.getTime() / 1_000) }) })),
      next,
      more,
      now: Math.floor(now / 1_000)
    })
  })
}
export default revocations

/**
 * Where an answer goes on: after this revocation, in the order of their times and ids. A time in the future was given by
 * a clock that was wrong then, and would skip what is revoked until it comes.
 */
function readAfter (url: string, now: number): Pick<Revocation, 'revokedAt' | 'id'> {
  const [, query = ''] = url.split('?')
  const after = single(parseParameters(query), 'after') ?? '0'
  const [, time, id = ''] = /^(\d{1,15})(?:~([\w-]{1,100}))?$/.exec(after) ?? []
  if (time === undefined) throw oauthError('malformedRequest', 'after is no next of an answer')
  // With an id it is a place within a list that goes on.
  return { revokedAt: new Date(id === '' && Number(time) > now ? now - OVERLAP : Number(time)), id }
}
