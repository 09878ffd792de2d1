import { localPath } from '@frontdesk/service-kit/pages/local-path'
import type { FastifyInstance } from 'fastify'
import { LANGUAGE_COOKIE, tags } from '../languages/languages.js'

const LIFETIME_S = 365 * 24 * 60 * 60

/**
 * `GET /language`: remembers the language `to` in this browser, as the page does, and returns to the path `back`. Error pages link it,
 * because they have no scripts. Another site can at most change the language.
 */
export default async function language (fastify: FastifyInstance) {
  fastify.get<{ Querystring: Record<string, unknown> }>('/language', ({ query: { to, back } }, reply) => {
    const tag = tags.find(tag => tag === to)
    if (tag !== undefined) reply.header('set-cookie', `${LANGUAGE_COOKIE}=${tag}; Path=/; Max-Age=${LIFETIME_S}; SameSite=Lax`)
    return reply.header('cache-control', 'no-store').redirect(localPath(String(back)) ?? '/', 303)
  })
}
