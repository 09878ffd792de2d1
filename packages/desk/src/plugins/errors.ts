import { PROBLEM_MEDIA_TYPE, type Problem } from '@frontdesk/schemas/problem'
import { escape } from '@frontdesk/service-kit/pages/html'
import { isBrowser, readPlainPages } from '@frontdesk/service-kit/pages/plain-page'
import clientErrors from '@frontdesk/service-kit/plugins/client-errors'
import { OverloadError } from '@frontdesk/service-kit/plugins/overload'
import type { FastifyError, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import { languageOf, languages, names, tags, type Language } from '../languages/languages.js'

/** The statuses that have a title and advice in the texts. */
const STATUSES = [400, 404, 405, 408, 431, 500, 503] as const

/** Responds to every error with a page in the user's language, or with problem+json (RFC 9457) in English for programs. */
export default fp<{ config: Pick<Config, 'brand' | 'defaultLanguage'> }>(async function errors (fastify, { config }) {
  const { brand, defaultLanguage } = config
  const pages = await readPlainPages(new URL('../../../public/icon.svg', import.meta.url), brand)

  fastify.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof OverloadError) return fail(reply.header('retry-after', error.retryAfter), error.statusCode)
    const { statusCode: status = 500 } = error
    if (status >= 500) request.log.error({ err: error }, 'request failed')
    return fail(reply, status)
  })

  fastify.setNotFoundHandler((request, reply) => {
    const allowed = fastify.methodsAt(request.url)
    return allowed.length === 0 ? fail(reply, 404) : fail(reply.header('allow', allowed.join(', ')), 405)
  })

  await fastify.register(clientErrors, {
    refuse: ({ statusCode }, requestId) => refuse(statusCode, requestId),
    refuseMethod (method, target, requestId) {
      const allowed = fastify.methodsAt(target)
      return allowed.length === 0 ? refuse(404, requestId) : refuse(405, requestId, { allow: allowed.join(', ') })
    }
  })

  function fail (reply: FastifyReply, statusCode: number) {
    const { id, headers } = reply.request
    const { status, title, advice } = textOf(statusCode, 'en')
    reply.code(status).headers({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language, Cookie' })
    if (isBrowser(headers)) {
      return reply.headers(pageHeaders).send(render(status, id, languageOf(headers, defaultLanguage), reply.request.url))
    }
    const problem: Problem = { type: 'about:blank', title, status, detail: advice, requestId: id }
    return reply.type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem))
  }

  const pageHeaders = { 'content-security-policy': pages.csp, 'content-type': 'text/html; charset=utf-8' }

  function refuse (statusCode: number, requestId: string, more: Record<string, string> = {}) {
    const headers = { ...pageHeaders, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...more }
    return { statusCode, headers, body: render(statusCode, requestId) }
  }

  /** @param path the page's, to which a choice of its language returns; without one, there is no choice */
  function render (statusCode: number, requestId: string, language: Language = defaultLanguage, path?: string): string {
    const { title, advice } = textOf(statusCode, language)
    const t = languages[language]
    const choice = path === undefined ? '' : switchOf(language, path)
    return pages.render(title, `
<p>${escape(advice)}</p>
<p><a href="/">${t['error.goToDesk']}</a></p>
<p class="note">${t['error.reference']} <code dir="ltr">${escape(requestId)}</code></p>${choice}`, {
      language, direction: t.direction, linkTexts: { Terms: t['footer.Terms'], Privacy: t['footer.Privacy'], Help: t['footer.Help'] }
    })
  }
}, { name: 'errors', fastify: '5.x', dependencies: ['allowed-methods', 'security-headers'] })

/** Links that show a page in another language. */
function switchOf (language: Language, path: string): string {
  const links = tags.map(tag => tag === language
    ? `<strong lang="${tag}" aria-current="true">${names[tag]}</strong>`
    : `<a lang="${tag}" href="/language?${escape(new URLSearchParams({ to: tag, back: path }).toString())}">${names[tag]}</a>`)
  return `\n<nav class="note" aria-label="${languages[language]['welcome.language']}">${links.join(' ')}</nav>`
}

/** A status, and its text; unknown statuses become 400 or 500. */
function textOf (statusCode: number, language: Language) {
  const status = STATUSES.find(status => status === statusCode) ?? (statusCode < 500 ? 400 : 500)
  return { status, title: languages[language][`error.${status}`], advice: languages[language][`error.${status}.advice`] }
}
