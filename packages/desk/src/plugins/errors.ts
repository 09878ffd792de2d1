import { PROBLEM_MEDIA_TYPE, type Problem } from '@frontdesk/schemas/problem'
import type { Brand } from '@frontdesk/service-kit/brand/settings'
import { escape } from '@frontdesk/service-kit/pages/html'
import { isBrowser, readPlainPages } from '@frontdesk/service-kit/pages/plain-page'
import clientErrors from '@frontdesk/service-kit/plugins/client-errors'
import { OverloadError } from '@frontdesk/service-kit/plugins/overload'
import type { FastifyError, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

const CHECK = 'Check the address.'

/** Title and advice, by status. */
const TEXTS: Readonly<Record<number, readonly [title: string, advice: string]>> = {
  400: ['The request is malformed.', CHECK],
  404: ['This page does not exist.', CHECK],
  405: ['This address does not support that method.', 'The Allow header lists the methods that it supports.'],
  408: ['The request did not arrive in time.', 'Check your connection and try again.'],
  431: ['The request\'s header fields are too large.', 'Delete this site\'s cookies in your browser\'s settings, then try again.'],
  500: ['Something went wrong.', 'Try again in a moment. If it happens again, contact the operator of this server and quote the reference.'],
  503: ['This server is receiving too many requests right now.', 'Wait a few seconds and try again.']
}

/** Responds to every error with a page, or with problem+json (RFC 9457) for programs. */
export default fp<{ brand: Brand }>(async function errors (fastify, { brand }) {
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
    const { status, title, advice } = textOf(statusCode)
    reply.code(status).headers({ 'cache-control': 'no-store', vary: 'Accept' })
    if (isBrowser(headers)) return reply.headers(pageHeaders).send(render(status, id))
    const problem: Problem = { type: 'about:blank', title, status, detail: advice, requestId: id }
    return reply.type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem))
  }

  const pageHeaders = { 'content-security-policy': pages.csp, 'content-type': 'text/html; charset=utf-8' }

  function refuse (statusCode: number, requestId: string, more: Record<string, string> = {}) {
    const headers = { ...pageHeaders, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...more }
    return { statusCode, headers, body: render(statusCode, requestId) }
  }

  function render (statusCode: number, requestId: string): string {
    const { title, advice } = textOf(statusCode)
    return pages.render(title, `
<p>${escape(advice)}</p>
<p><a href="/">Go to the desk</a></p>
<p class="note">Reference: <code>${escape(requestId)}</code></p>`)
  }
}, { name: 'errors', fastify: '5.x', dependencies: ['allowed-methods', 'security-headers'] })

/** A status, and its text; unknown statuses become 400 or 500. */
function textOf (statusCode: number) {
  const status = statusCode in TEXTS ? statusCode : statusCode < 500 ? 400 : 500
  const [title, advice] = TEXTS[status]!
  return { status, title, advice }
}
