import { PROBLEM_MEDIA_TYPE, type Problem } from '@frontdesk/schemas/problem'
import type { FastifyError, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import { errors, OAuthError, technicalOf } from '../oauth/errors.js'
import { englishOf } from '../oauth/error-texts.js'
import { httpError, httpErrorOf, type ShownError } from '../oauth/http-errors.js'
import { problemName } from '../oauth/problems.js'
import { noteFailure } from '../routes/json-errors.js'
import { message, type Translator } from '../languages/translator.js'
import { addVary } from '@frontdesk/service-kit/plugins/cors'
import { hasValidEscapes } from '@frontdesk/service-kit/path'
import { OverloadError } from '@frontdesk/service-kit/plugins/overload'

const PAGE_MEDIA_TYPE = 'text/html'

/** Placeholder for the reference in a cached page. Request ids contain no spaces. */
const REFERENCE = 'the reference'

/** Renders every error as a page, or as problem+json (RFC 9457) for clients that accept JSON. */
export default fp<{ issuer: string }>(async function errorResponses (fastify, { issuer }) {
  // Rendered once for each language: under overload, rendering would add load.
  const overloadPages = new Map<Translator, Promise<string>>()

  fastify.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (error instanceof OAuthError) {
      request.noteRefusal(error)
      return await answer(reply, error)
    }
    if (error instanceof OverloadError) {
      return await answer(reply.header('retry-after', error.retryAfter), httpError('overloaded'))
    }
    return await answer(reply, httpErrorOf(noteFailure(error, reply)))
  })

  fastify.setNotFoundHandler(async (request, reply) => {
    if (!hasValidEscapes(request.originalUrl)) throw errors.malformedRequest('a broken percent-escape in the path')
    const allowed = fastify.methodsAt(request.url)
    // Also called by routes that found nothing.
    if (allowed.length === 0 || allowed.includes(request.method)) return await answer(reply, httpErrorOf(404))
    return await answer(reply.header('allow', allowed.join(', ')), httpErrorOf(405))
  })

  async function answer (reply: FastifyReply, shownError: ShownError & Partial<OAuthError>): Promise<FastifyReply> {
    const { request } = reply
    const { statusCode, description, title, advice, shown = {}, error, kind } = shownError
    addVary(reply.code(statusCode), 'Accept')
    if (new Negotiator(request.raw).mediaType([PAGE_MEDIA_TYPE, 'application/json', PROBLEM_MEDIA_TYPE]) !== PAGE_MEDIA_TYPE) {
      const problem: Problem = {
        type: `${issuer}/problems/${problemName(kind)}`,
        title: description,
        status: statusCode,
        detail: englishOf(advice),
        requestId: request.id
      }
      return reply.header('cache-control', 'no-store').type(PROBLEM_MEDIA_TYPE).send({ ...problem, error, ...shown })
    }
    if (kind === 'overloaded') {
      const t = await reply.translator()
      const page = overloadPages.get(t) ?? fastify.view('error.eta', { t, title: message(title), advice, shown, requestId: REFERENCE })
      overloadPages.set(t, page)
      return reply.renderedPage((await page).replace(REFERENCE, () => request.id))
    }
    const page = { title: message(title), technical: technicalOf(shownError), advice, shown, kind, startAgain: request.startAgain }
    return await reply.page('error', { ...page, requestId: request.id })
  }
}, { name: 'errors', fastify: '5.x', dependencies: ['pages', 'audit', 'allowed-methods'] })
