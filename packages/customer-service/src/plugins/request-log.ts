import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ProblemError } from '../problems/define.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What went wrong with this request; `undefined` if nothing did. */
    failure: unknown
  }
}

/** Writes one line a request that is not shed, without query, headers and body, and returns the request's id to the caller. */
export default fp(async function requestLog (fastify) {
  fastify.decorateRequest('failure', undefined)

  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    done()
  })

  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.admission === 'shed') return done()
    const { method, ip, failure } = request
    const line = { method, path: pathOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10, ip }
    if (reply.statusCode >= 500) request.log.error({ ...line, ...explain(failure), err: failure instanceof Error ? failure.cause : failure }, 'request failed')
    else request.log.info(failure === undefined ? line : { ...line, ...explain(failure) }, 'request')
    done()
  })
}, { name: 'request-log', fastify: '5.x' })

/** Path of a request, without the query. */
export function pathOf ({ originalUrl: url }: Pick<FastifyRequest, 'originalUrl'>): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

function explain (failure: unknown) {
  if (!(failure instanceof ProblemError)) return {}
  const { kind, reason } = failure
  return { problem: kind.name, ...(reason === undefined ? {} : { reason }) }
}
