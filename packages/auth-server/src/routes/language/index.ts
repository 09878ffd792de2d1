import type { FastifyPluginAsync } from 'fastify'
import { findLanguage } from '../../languages/languages.js'
import { single } from '../../oauth/parameters.js'

/** Any base: only what stays on it leads back to a page of this server. */
const HERE = 'http://here.invalid'

/**
 * `POST /language`: remembers the chosen language in this browser, and returns to the page. It needs no form token: another site can
 * at most change the language.
 */
const language: FastifyPluginAsync = async function language (fastify) {
  fastify.post('/language', { schema: { hide: true } }, async (request, reply) => {
    const chosen = findLanguage([single(request.form, 'language') ?? ''])
    if (chosen !== undefined) reply.setLanguage(chosen)
    const back = pathOf(single(request.form, 'back') ?? '') ?? `${fastify.prefix}/account`
    return reply.header('cache-control', 'no-store').redirect(back, 303)
  })
}
export default language

/** A path of this server with its query; `null`: the text leads elsewhere. */
function pathOf (text: string): string | null {
  const url = URL.canParse(text, HERE) ? new URL(text, HERE) : null
  if (url?.origin !== HERE || !text.startsWith('/') || url.pathname.startsWith('//')) return null
  return url.pathname + url.search
}
