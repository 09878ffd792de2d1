import { localPath } from '@frontdesk/service-kit/pages/local-path'
import type { FastifyPluginAsync } from 'fastify'
import { findLanguage } from '../../languages/languages.js'
import { single } from '../../oauth/parameters.js'

/**
 * `POST /language`: remembers the chosen language in this browser, and returns to the page. It needs no form token: another site can
 * at most change the language.
 */
const language: FastifyPluginAsync = async function language (fastify) {
  fastify.post('/language', { schema: { hide: true } }, async (request, reply) => {
    const chosen = findLanguage([single(request.form, 'language') ?? ''])
    if (chosen !== undefined) reply.setLanguage(chosen)
    const back = localPath(single(request.form, 'back') ?? '') ?? `${fastify.prefix}/account`
    return reply.header('cache-control', 'no-store').redirect(back, 303)
  })
}
export default language
