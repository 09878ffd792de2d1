import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { REVOCATIONS_PATH, RevocationList } from '@frontdesk/schemas/revocations'
import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import { numericDate } from '../../lifetimes.js'
import { errors } from '../../oauth/errors.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import type { FeedEntry, Revocations } from '../../stores/access/revocations.js'
import { pageOrProblem } from '../responses.js'

/** A page has some 40 KB. */
const MAX_ENTRIES_PER_PAGE = 500

/** Overlap of pages, in milliseconds: a row can be committed after later ones. */
const OVERLAP_MS = 60_000

/** The latest time that both databases sort correctly, in milliseconds: SQLite stores text with a four-digit year. */
const LATEST_MS = Date.UTC(9999, 11, 31)

/** `GET /revocations`: the revocation feed for resource servers. Public like the keys: its random ids reveal nothing. */
const revocations: FastifyPluginAsyncTypebox<{ revocations: Revocations }> = async function revocations (fastify, { revocations }) {
  fastify.get(REVOCATIONS_PATH, {
    // Vital: without the feed, customer-service rejects all tokens. A page is cheap.
    config: { vital: true, polled: true },
    schema: {
      operationId: 'listRevocations',
      summary: 'List revoked access',
      description: 'Access revoked before its tokens expired. Poll every few seconds, with `next` of the previous response as `after`.',
      tags: ['OAuth 2.0'],
      querystring: Type.Object({
        after: Type.Optional(Type.String({
          description: '`next` of the previous response, or a time in milliseconds since 1970. Omit it for everything.'
        }))
      }),
      response: { 200: RevocationList, '4xx': pageOrProblem, '5xx': pageOrProblem }
    },
    validatorCompiler: () => () => true
  }, async (request, reply) => {
    const now = fastify.clock.now().getTime()
    const after = readAfter(request.url, now)
    const found = await revocations.after(after, MAX_ENTRIES_PER_PAGE)
    const last = found.at(-1)
    const more = found.length === MAX_ENTRIES_PER_PAGE
    // Several entries can have the same time. The last page overlaps with the next.
    const next = more && last !== undefined ? placeAfter(last, now) : `${now - OVERLAP_MS}`
    return await reply.header('cache-control', 'no-store').send({ revoked: found.map(describe), next, more, now: Math.floor(now / 1_000) })
  })
}
export default revocations

function describe ({ id, revokedAt, endsAt, notBefore }: FeedEntry) {
  return {
    id,
    at: numericDate(revokedAt),
    ends: Math.ceil(endsAt.getTime() / 1_000),
    ...(notBefore && { before: Math.ceil(notBefore.getTime() / 1_000) })
  }
}

/** The cursor after an entry. A cursor in the future is valid only for a while, so it contains the time of its issue. */
function placeAfter ({ revokedAt, id }: Pick<FeedEntry, 'revokedAt' | 'id'>, now: number): string {
  const time = revokedAt.getTime()
  return `${time}~${id}${time > now ? `~${now}` : ''}`
}

/**
 * Reads a cursor. A time in the future comes from a wrong clock, and would skip revocations until then: it is valid only while a client
 * reads consecutive pages.
 */
function readAfter (url: string, now: number): Pick<FeedEntry, 'revokedAt' | 'id'> {
  const after = single(parseParameters(queryOf(url)), 'after') ?? '0'
  const [, time, id = '', given = now] = /^(\d{1,15})(?:~([\w-]{1,100})(?:~(\d{1,15}))?)?$/.exec(after) ?? []
  if (time === undefined) throw errors.malformedRequest('after is not the next of a response')
  const goesOn = given !== now && Math.abs(now - Number(given)) < OVERLAP_MS && Number(time) <= LATEST_MS
  if (Number(time) <= now || goesOn) return { revokedAt: new Date(Number(time)), id }
  return { revokedAt: new Date(Math.min(now, Number(given)) - OVERLAP_MS), id: '' }
}
