import { isUnavailable } from '@frontdesk/database/unavailable'
import type { FastifyError, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { errors, parameterError, OAuthError } from '../oauth/errors.js'
import { OverloadError } from '@frontdesk/service-kit/plugins/overload'

/** Errors for a device that must keep polling (RFC 8628 §3.5). */
const PENDING = ['authorization_pending', 'slow_down']

/** The response to a body that is not a small form. */
const NO_FORM = {
  error: 'invalid_request',
  error_description: 'The request must be a small form (application/x-www-form-urlencoded).'
}

/** Why a JSON body cannot be read, by status code. */
const NOT_READ: Record<number, string> = { 413: 'The request is too long.', 415: 'The Content-Type must be application/json.' }

interface Options {
  /** For endpoints with JSON bodies: the response to one that cannot be parsed. */
  malformed?: { error: string, error_description: string }
}

/** For endpoints that clients call: no caching, and every error as JSON (RFC 6749 §5.1, §5.2). */
export default fp<Options>(async function jsonErrors (fastify, { malformed }) {
  fastify.addHook('onRequest', async (request, reply) => { reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }) })

  fastify.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (error instanceof OAuthError) {
      // A polling device is not refused.
      if (!PENDING.includes(error.error)) request.noteRefusal(error)
      if (error.statusCode === 401 && /^basic/i.test(request.headers.authorization ?? '')) {
        reply.header('www-authenticate', 'Basic realm="token endpoint", charset="UTF-8"')
      }
      return reply.code(error.statusCode).send({ error: error.error, error_description: error.description })
    }
    if (error instanceof OverloadError) {
      // Thrown before the hook of this scope, so it sets `cache-control` itself.
      return reply.code(503).headers({ 'cache-control': 'no-store', 'retry-after': error.retryAfter })
        .send({ error: 'temporarily_unavailable', error_description: 'This server is receiving too many requests right now. Try again in a moment.' })
    }
    const statusCode = noteFailure(error, reply)
    if (statusCode < 500) {
      return reply.code(statusCode).send(malformed === undefined
        ? NO_FORM
        : { error: malformed.error, error_description: NOT_READ[statusCode] ?? malformed.error_description })
    }
    return reply.code(statusCode).send(statusCode === 503
      ? { error: 'temporarily_unavailable', error_description: 'The database is unavailable right now. Try again in a moment.' }
      : { error: 'server_error', error_description: 'Internal error. Give the X-Request-Id to the operator of this server.' })
  })

  if (malformed !== undefined) return
  // RFC 6749 §3.2: no parameter may be repeated, known or unknown. A repeated `resource` has its own error.
  fastify.addHook('preValidation', async ({ body, routeOptions }) => {
    // as: the forms of these routes are objects.
    const { properties = {} } = (routeOptions.schema?.body ?? {}) as { properties?: object }
    const isTolerated = (name: string) => name === 'resource' && name in properties
    const [name] = Object.entries(body ?? {}).find(([name, value]) => Array.isArray(value) && !isTolerated(name)) ?? []
    if (name === undefined) return
    throw name in properties ? parameterError(name, 'is repeated') : errors.invalidRequest('a parameter is repeated')
  })
}, { name: 'json-errors', fastify: '5.x', dependencies: ['audit'] })

/** Logs an unexpected error. Returns its status code, with `Retry-After` if the database is unavailable. */
export function noteFailure (error: FastifyError, reply: FastifyReply): number {
  const statusCode = isUnavailable(error) ? 503 : error.statusCode ?? 500
  reply.request.log[statusCode >= 500 ? 'error' : 'info']({ err: error }, 'request failed')
  if (statusCode === 503) reply.header('retry-after', 2)
  return statusCode
}
