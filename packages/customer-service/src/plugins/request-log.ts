import requestLog from '@frontdesk/service-kit/plugins/request-log'
import fp from 'fastify-plugin'
import { ProblemError } from '../problems/define.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What went wrong with this request; `undefined` if nothing did. */
    failure: unknown
  }
}

/** Logs one line per request, with the problem that answered it and the cause of a failure of this service. */
export default fp(async function problemLog (fastify) {
  fastify.decorateRequest('failure', undefined)

  await fastify.register(requestLog, {
    write (line, level, { log, failure }) {
      if (line.status >= 500) {
        log.error(
          { ...line, ...explain(failure), err: failure instanceof Error ? failure.cause : failure },
          'request failed'
        )
      } else log[level]({ ...line, ...explain(failure) }, 'request')
    }
  })
}, { name: 'problem-log', fastify: '5.x' })

function explain (failure: unknown) {
  if (!(failure instanceof ProblemError)) return {}
  const { kind, reason } = failure
  return { problem: kind.name, ...(reason === undefined ? {} : { reason }) }
}
