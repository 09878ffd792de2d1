import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { REVOCATIONS_PATH, RevocationList } from '@frontdesk/schemas/revocations'
import { Type } from '@sinclair/typebox'
import { oauthError } from '../../oauth/errors.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import type { Revocation, Revocations } from '../../stores/revocations.js'
import { pageOrProblem } from '../answers.js'

/** Entries of an answer: those of some 40 KB. */
const LIMIT = 500

/** How far back an answer looks again, in milliseconds: a row can be read only once it is committed. */
const OVERLAP = 60_000

/** Last time that both databases keep in order, in milliseconds: SQLite has it as text, with four digits for the year. */
const LATEST = Date.UTC(9999, 11, 31)

/**
 * `GET /revocations`: what was revoked before its tokens ended, for who accepts tokens. Open to everybody, as the keys
 * are: the ids are random, and say nothing of people or apps.
 */
const revocations: FastifyPluginAsyncTypebox<{ revocations: Revocations }> = async function revocations (fastify, { revocations }) {
  fastify.get(REVOCATIONS_PATH, {
    // Without it customer-service refuses all tokens, and a page is cheap.
    config: { vital: true },
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
    const next = more && last !== undefined ? placeAfter(last, now) : `${now - OVERLAP}`
    return await reply.header('cache-control', 'no-store').send({
      revoked: found.map(({ id, endsAt, notBefore }) => ({ id, ends: Math.ceil(endsAt.getTime() / 1_000), ...(notBefore && { before: Math.ceil(notBefore.getTime() / 1_000) }) })),
      next,
      more,
      now: Math.floor(now / 1_000)
    })
  })
}
export default revocations

/** The place after an entry. In the future it counts for a while only, so it says when it was given. */
function placeAfter ({ revokedAt, id }: Pick<Revocation, 'revokedAt' | 'id'>, now: number): string {
  const time = revokedAt.getTime()
  return `${time}~${id}${time > now ? `~${now}` : ''}`
}

/**
 * Where an answer goes on: after this revocation, in the order of their times and ids. A time in the future was given by
 * a clock that was wrong then, and would skip what is revoked until it comes: it counts only within a list that goes on.
 */
function readAfter (url: string, now: number): Pick<Revocation, 'revokedAt' | 'id'> {
  const [, query = ''] = url.split('?')
  const after = single(parseParameters(query), 'after') ?? '0'
  const [, time, id = '', given = now] = /^(\d{1,15})(?:~([\w-]{1,100})(?:~(\d{1,15}))?)?$/.exec(after) ?? []
  if (time === undefined) throw oauthError('malformedRequest', 'after is no next of an answer')
  const goesOn = given !== now && Math.abs(now - Number(given)) < OVERLAP && Number(time) <= LATEST
  if (Number(time) <= now || goesOn) return { revokedAt: new Date(Number(time)), id }
  return { revokedAt: new Date(Math.min(now, Number(given)) - OVERLAP), id: '' }
}
