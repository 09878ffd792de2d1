import { PROBLEM_MEDIA_TYPE, type Problem } from '@frontdesk/schemas/problem'
import { escape } from '@frontdesk/service-kit/pages/html'
import { isBrowser, type PlainPages } from '@frontdesk/service-kit/pages/plain-page'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { readPages } from '../docs/pages.js'
import { ProblemError, type Kind } from '../problems/define.js'
import { bodyTooLarge, mediaTypeUnsupported, pathUnknown, requestMalformed } from '../problems/request.js'
import { internalError, serviceOverloaded } from '../problems/service.js'
import { pathOf } from '@frontdesk/service-kit/path'

declare module 'fastify' {
  interface FastifyReply {
    /** Replies with the problem document of an error (RFC 9457). */
    problem (error: unknown): FastifyReply
  }
  interface FastifyInstance {
    /** Makes the problem document of a kind. */
    problemOf (kind: Kind, members?: Partial<Problem>): Problem
  }
}

/** Responds to every error with `application/problem+json`, or to browsers with a page. `root`: the service's absolute URL. */
export default fp<{ root: string }>(async function problems (fastify, { root }) {
  const pages = await readPages()

  fastify.decorate('problemOf', (kind: Kind, members: Partial<Problem> = {}) => {
    const { name, title, status } = kind
    return { type: `${root}/problems/${name}`, title, status, ...members }
  })

  fastify.decorateReply('problem', function (this: FastifyReply, error: unknown) {
    const { request } = this
    const problem = translate(error, request.routeOptions.bodyLimit)
    request.failure = error instanceof ProblemError ? error : Object.assign(problem, { cause: error })
    const document = fastify.problemOf(problem.kind, {
      detail: problem.message, instance: pathOf(request.originalUrl), requestId: request.id, ...problem.members
    })
    this.code(document.status).headers({ 'Cache-Control': 'no-store', ...problem.headers })
    if (isBrowser(request.headers)) {
      return this.header('Content-Security-Policy', pages.csp).type('text/html; charset=utf-8').send(renderErrorPage(document, pages))
    }
    // A string: an object would lose the members that the route's schema does not have.
    return this.type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(document))
  })

  fastify.setErrorHandler((error, request, reply) => reply.problem(error))
  fastify.setNotFoundHandler(async () => { throw pathUnknown('This path does not exist. Compare it with /openapi.json.') })
}, { name: 'problems', fastify: '5.x', dependencies: ['problem-log'] })

/** Renders a problem as a page for browsers. Its links are relative, as the service may have several addresses. */
function renderErrorPage ({ type, title, detail = '', requestId = '' }: Problem, pages: PlainPages): string {
  return pages.render(title, `
<p>${escape(detail)}</p>
<p><a href="${escape(new URL(type).pathname)}">What this means and what to do</a></p>
<p class="note">Reference: <code>${escape(requestId)}</code></p>`)
}

/** One instance, because a stack trace for each would add work under overload. */
const overloaded = serviceOverloaded('This service is receiving too many requests. Try again in a few seconds.')

function translate (error: unknown, bodyLimit: number | undefined): ProblemError {
  if (error instanceof ProblemError) return error
  // as: anything can be thrown; Fastify's errors have a code.
  const { code, statusCode } = (error ?? {}) as { code?: string, statusCode?: number }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE': return bodyTooLarge(`The body has more than ${bodyLimit} bytes.`)
    case 'OVERLOADED': return overloaded
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE': return mediaTypeUnsupported('Send no body.')
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return requestMalformed('The request cannot be read.', { cause: error })
  }
  return internalError('Something went wrong. Send this requestId to the operator.', { cause: error })
}
