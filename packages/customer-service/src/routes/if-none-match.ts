import type { FastifyRequest } from 'fastify'
import { requestMalformed } from '../problems/request.js'

/**
 * Refuses a write under a condition that makes no sense for it: doing it all the same would break RFC 9110 §13.1.2.
 * @throws ProblemError
 */
export function refuseIfNoneMatch ({ headers }: FastifyRequest): void {
  if (headers['if-none-match'] !== undefined) throw requestMalformed('If-None-Match is for reading. Send If-Match, or no condition.')
}
