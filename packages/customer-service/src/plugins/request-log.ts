import requestLog from '@frontdesk/service-kit/plugins/request-log'
import fp from 'fastify-plugin'
import { ProblemError } from '../problems/define.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's error; `undefined` if it had none. */
    failure: unknown
  }
}

/** Logs a line for each request, with its problem and, for failures of this service, the cause. */
export default fp(async function problemLog (fastify) {
  fastify.decorateRequest('failure', undefined)

  await fastify.register(requestLog, {
    write (line, level, { log, failure }) {
      if (line.status >= 500) {
        log.error({ ...line, ...explain(failure), err: failure instanceof Error ? failure.cause : failure }, 'request failed')
      } else log[level]({ ...line, ...explain(failure) }, 'request')
    }
  })
}, { name: 'problem-log', fastify: '5.x' })

function explain (failure: unknown) {
  if (!(failure instanceof ProblemError)) return {}
  const { kind, reason } = failure
  return { problem: kind.name, ...(reason === undefined ? {} : { reason }) }
}
