import formbody from '@fastify/formbody'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { parseForm, type Parameters } from '../oauth/parameters.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The submitted form; empty without one. */
    readonly form: Parameters
  }
}

/** Accepts only forms as bodies: JSON and text are refused with 415. */
export default fp(async function forms (fastify) {
  fastify.removeAllContentTypeParsers()
  await fastify.register(formbody, { parser: parseForm })
  // as: the only parser is that of forms.
  fastify.decorateRequest('form', { getter (this: FastifyRequest) { return (this.body ?? {}) as Parameters } })
}, { name: 'forms', fastify: '5.x' })
