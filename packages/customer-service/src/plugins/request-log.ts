import requestLog from '@frontdesk/service-kit/plugins/request-log'
import fp from 'fastify-plugin'
import { ProblemError } from '../problems/define.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's error; `undefined` if it had none. */
    failure: unknown
    /** The tool that an assistant called. */
    tool: string | undefined
  }
}

/** Logs a line for each request, with its problem and, for failures of this service, the cause. */
export default fp(async function problemLog (fastify) {
  fastify.decorateRequest('failure', undefined)
  fastify.decorateRequest('tool', undefined)

  await fastify.register(requestLog, {
    write (request, level, { log, failure, tool }) {
      const line = { ...request, ...tool !== undefined && { tool }, ...explain(failure) }
      if (line.status >= 500) log.error({ ...line, err: failure instanceof Error ? failure.cause : failure }, 'request failed')
      else log[level](line, 'request')
    }
  })
}, { name: 'problem-log', fastify: '5.x' })

function explain (failure: unknown) {
  if (!(failure instanceof ProblemError)) return {}
  const { kind, reason } = failure
  return { problem: kind.name, ...(reason === undefined ? {} : { reason }) }
}
