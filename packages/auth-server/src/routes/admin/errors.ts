import { PROBLEM_MEDIA_TYPE, type Problem } from '@frontdesk/schemas/problem'
import { OverloadError } from '@frontdesk/service-kit/plugins/overload'
import type { FastifyError, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { Refusal } from '../../admin/refusal.js'
import { adminErrors } from '../../oauth/admin-errors.js'
import { englishOf } from '../../oauth/error-texts.js'
import { OAuthError } from '../../oauth/errors.js'
import { httpErrors } from '../../oauth/http-errors.js'
import { problemName } from '../../oauth/problems.js'
import { LastAdministratorError, RightLostError } from '../../stores/access/administrators.js'
import { noteFailure } from '../json-errors.js'
import { AccessError } from '../resource-access.js'

const kinds = { ...adminErrors, ...httpErrors }

/** An error of this API. `message` is the detail of the problem. */
export class AdminError extends Error {
  readonly kind: keyof typeof adminErrors

  constructor (kind: keyof typeof adminErrors, detail: string = adminErrors[kind].advice) {
    super(detail)
    this.kind = kind
  }
}

const KIND_OF_REFUSAL: Readonly<Record<Refusal['code'], keyof typeof adminErrors>> = {
  invalid: 'inputInvalid',
  unknown: 'unknown',
  taken: 'conflict',
  conflict: 'conflict',
  changed: 'changedMeanwhile',
  forbidden: 'notPermitted'
}

/** Maximum errors in a response. */
export const MAX_FAULTS = 100

/** Errors of bodies, by status. */
const BODIES: Readonly<Record<number, readonly [kind: keyof typeof kinds, detail?: string]>> = {
  413: ['bodyTooLarge', 'Send less in one request.'],
  415: ['jsonExpected']
}

/** Renders every error as problem+json (RFC 9457). */
export default fp<{ issuer: string }>(async function adminErrorResponses (fastify, { issuer }) {
  fastify.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (error instanceof Refusal) {
      const errors = error.faults.slice(0, MAX_FAULTS).map(({ field, sentence }) => ({ field, detail: sentence }))
      return answer(reply, KIND_OF_REFUSAL[error.code], errors.map(({ detail }) => detail).join(' '), { errors })
    }
    if (error instanceof AdminError) return answer(reply, error.kind, error.message)
    if (error instanceof RightLostError) return answer(reply, 'notPermitted', error.message)
    if (error instanceof LastAdministratorError) return answer(reply, 'lastAdministrator')
    if (error instanceof AccessError) {
      reply.header('www-authenticate', error.challenge('admin'))
      const kind = error.kind === 'signInInsufficient' ? error.kind : error.statusCode === 403 ? 'notPermitted' : 'accessTokenInvalid'
      return answer(reply, kind, error.message)
    }
    if (error instanceof OverloadError) return answer(reply.header('retry-after', error.retryAfter), 'overloaded')
    const status = noteFailure(error, reply)
    if (status >= 500) return answer(reply, status === 503 ? 'unavailable' : 'internalError')
    const [kind, detail] = BODIES[status] ?? ['inputInvalid', 'The body is not valid JSON.']
    return answer(reply, kind, error instanceof OAuthError ? error.description : detail)
  })

  fastify.setNotFoundHandler(async (request, reply) => answer(reply, 'pathUnknown'))

  function answer (
    reply: FastifyReply, kind: keyof typeof kinds, detail?: string, members: Pick<Problem, 'errors'> = {}
  ): FastifyReply {
    const { statusCode: status } = kinds[kind]
    const { title, advice } = textsOf(kinds[kind])
    const type = `${issuer}/problems/${problemName(kind)}`
    const problem: Problem = { type, title, status, detail: detail ?? advice, requestId: reply.request.id, ...members }
    return reply.code(status).header('cache-control', 'no-store').type(PROBLEM_MEDIA_TYPE).send(problem)
  }
}, { name: 'admin-errors', fastify: '5.x' })

function textsOf (entry: typeof kinds[keyof typeof kinds]): { readonly title: string, readonly advice: string } {
  if (!('title' in entry)) return { title: entry.description, advice: entry.advice }
  return { title: englishOf(entry.title), advice: englishOf(entry.advice) }
}
