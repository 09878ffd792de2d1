import { PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import clientErrors, { type ClientErrorResponse } from '@frontdesk/service-kit/plugins/client-errors'
import { HEADER_LIMIT } from '@frontdesk/service-kit/server-options'
import fp from 'fastify-plugin'
import type { ProblemError } from '../problems/define.js'
import { headersTooLarge, requestMalformed, requestTimeout } from '../problems/request.js'

const MALFORMED = 'The request line, a header field or the framing of the body is malformed.'

/** Advice about headers that are too large, by their largest part. */
const ADVICE = {
  address: 'The path and query are too long.',
  cookies: 'Most of them are cookies, which this service does not need: delete the cookies of this site.',
  fields: 'Send fewer or shorter header fields.'
}

/** Responds with a problem to requests that Node.js cannot parse. */
export default fp(async function clientErrorProblems (fastify) {
  await fastify.register(clientErrors, {
    refuse: (refusal, requestId) => {
      const { statusCode } = refusal
      if (statusCode === 431) {
        return answer(headersTooLarge(
          `The request line and the header fields have more than ${HEADER_LIMIT} bytes. ${ADVICE[refusal.longest]}`
        ), requestId)
      }
      return answer(statusCode === 408 ? requestTimeout('The request did not arrive in time.') : requestMalformed(MALFORMED), requestId)
    },
    refuseMethod: (method, target, requestId) =>
      answer(target.startsWith('/') ? fastify.refuseRoute(method, target) : requestMalformed('This server is not a proxy.'), requestId)
  })

  function answer ({ kind, message: detail, headers }: ProblemError, requestId: string): ClientErrorResponse {
    return {
      statusCode: kind.status,
      headers: { 'Content-Type': PROBLEM_MEDIA_TYPE, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers },
      body: JSON.stringify(fastify.problemOf(kind, { detail, requestId })),
      details: { problem: kind.name }
    }
  }
}, { name: 'client-error-problems', fastify: '5.x', dependencies: ['problems', 'unmatched-requests'] })
