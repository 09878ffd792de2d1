import accepts from '@fastify/accepts'
import { PROBLEM_MEDIA_TYPE, type Problem } from '@frontdesk/schemas/problem'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { OAuthError, oauthError, type PublicError } from '../oauth/errors.js'

type Told = Pick<PublicError, 'statusCode' | 'description' | 'advice'>

const HERE = 'The fault is ours. Try again in a moment.'

/** What is told of errors that are not of the protocol, by status. */
const told: Record<number, Omit<Told, 'statusCode'>> = {
  404: { description: 'There is no such page.', advice: 'Check the address, or go back to the app that sent you here.' },
  405: { description: 'This address does not take that method.', advice: 'The app made a mistake. The Allow header names the methods.' },
  413: { description: 'The form is too large.', advice: 'Go back and enter less.' },
  415: { description: 'This form must be sent as application/x-www-form-urlencoded.', advice: 'The app made a mistake; tell its makers.' },
  500: { description: 'Something went wrong here.', advice: `${HERE} If it comes back, tell whoever runs this server the reference below.` },
  503: { description: 'The database does not answer right now.', advice: HERE }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Every error as a page for people, or as problem+json (RFC 9457) for who asks for JSON. */
export default fp<{ isUnavailable: (error: unknown) => boolean }>(async function errors (fastify, { isUnavailable }) {
  await fastify.register(accepts)

  fastify.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (error instanceof OAuthError) {
      request.noteRefusal(error)
      return await answer(request, reply, error)
    }
    const statusCode = isUnavailable(error) ? 503 : error.statusCode ?? 500
    request.log[statusCode >= 500 ? 'error' : 'info']({ err: error }, 'request failed')
    if (statusCode === 503) reply.header('retry-after', 2)
    return await answer(request, reply, { statusCode, ...told[statusCode] ?? told[statusCode < 500 ? 404 : 500]! })
  })

  // RFC 9112 §3.2; Node keeps the first of several and drops the others.
  fastify.addHook('onRequest', ({ raw }, reply, done) => {
    const isHost = (name: string, i: number) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host'
    if (raw.rawHeaders.findIndex(isHost) !== raw.rawHeaders.findLastIndex(isHost)) return done(oauthError('malformedRequest', 'several Host headers'))
    done()
  })

  fastify.setNotFoundHandler(async (request, reply) => {
    if (isMalformed(request.originalUrl)) throw oauthError('malformedRequest', 'a broken percent-escape in the path')
    const url = request.url.split('?', 1)[0]!
    const allowed = METHODS.filter(method => fastify.hasRoute({ method, url }))
    const statusCode = allowed.length > 0 ? 405 : 404
    if (allowed.length > 0) reply.header('allow', allowed.join(', '))
    return await answer(request, reply, { statusCode, ...told[statusCode]! })
  })
}, { name: 'errors', fastify: '5.x', dependencies: ['pages', 'audit'] })

function isMalformed (url: string): boolean {
  try {
    decodeURIComponent(url.split(/[?#]/, 1)[0]!)
    return false
  } catch {
    return true
  }
}

async function answer (request: FastifyRequest, reply: FastifyReply, told: Told & Partial<OAuthError>): Promise<FastifyReply> {
  const { statusCode, description, advice, shown = {}, error } = told
  reply.code(statusCode).header('vary', 'accept')
  if (request.accepts().type(['html', 'json', PROBLEM_MEDIA_TYPE]) !== 'html') {
    const problem: Problem = { type: 'about:blank', title: description, status: statusCode, detail: advice, requestId: request.id }
    return reply.header('cache-control', 'no-store').type(PROBLEM_MEDIA_TYPE).send({ ...problem, error, ...shown })
  }
  return await reply.page('error', { title: description, advice, shown, requestId: request.id, startAgain: request.startAgain })
}
