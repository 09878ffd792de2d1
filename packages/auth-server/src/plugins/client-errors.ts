import clientErrors, { type ClientErrorResponse, type Refusal } from '@frontdesk/service-kit/plugins/client-errors'
import { readStylesheet } from '@frontdesk/service-kit/pages/asset'
import { hashSource } from '@frontdesk/service-kit/pages/plain-page'
import fp from 'fastify-plugin'
import { message, translator } from '../languages/translator.js'
import type { LanguageConfig } from '../settings/language.js'

const pages = {
  400: { title: message('error.malformed-http'), advice: 'advice.app' },
  408: { title: message('error.request-timeout'), advice: 'advice.connection' },
  address: { title: message('error.uri-too-long'), advice: 'advice.app' },
  cookies: { title: message('error.cookies-too-large'), advice: 'advice.cookies-too-large' },
  fields: { title: message('error.fields-too-large'), advice: 'advice.app' }
}

/**
 * Responds with a page to requests that Node.js cannot parse. The page contains its style: a request for the stylesheet can fail for
 * the same reason, such as too large cookies. `color`: the brand's.
 */
export default fp<LanguageConfig & { color: string | undefined }>(async function clientErrorPages (fastify, { color, defaultLanguage }) {
  let look: ReturnType<typeof readLook> | undefined
  await fastify.register(clientErrors, {
    refuse: answer,
    async refuseMethod (method, target, requestId) {
      if (!target.startsWith('/')) return await answer({ statusCode: 400 }, requestId)
      // The page for a method that no route has: 405 with Allow, or 404.
      const headers = { accept: 'text/html', 'x-request-id': requestId }
      const { statusCode, headers: { allow }, body } = await fastify.inject({ method: 'TRACE', url: target, headers })
      return { statusCode, headers: { ...(await findLook()).headers, ...(allow !== undefined && { allow: String(allow) }) }, body }
    }
  })

  async function answer (refusal: Refusal, requestId: string): Promise<ClientErrorResponse> {
    const page = pages['longest' in refusal ? refusal.longest : refusal.statusCode]
    const [t, { style, headers }] = await Promise.all([translator(defaultLanguage), findLook()])
    return { statusCode: refusal.statusCode, headers, body: await fastify.view('error.eta', { ...page, t, shown: {}, requestId, style }) }
  }

  /** Reads the style for the first such page. A failure is not cached. */
  function findLook () {
    look ??= readLook(color).catch(error => {
      look = undefined
      throw error
    })
    return look
  }
}, { name: 'client-error-pages', fastify: '5.x', dependencies: ['pages'] })

/** The style of the pages, and headers that allow it. */
async function readLook (color: string | undefined) {
  const style = await readStylesheet([new URL('../../../public/style.css', import.meta.url)], color)
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy':
      `default-src 'none'; style-src 'self' ${hashSource(style)}; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff'
  }
  return { style, headers }
}
