import type { FastifyRequest } from 'fastify'
import type { Failure } from '../mail/outbox.js'
import type { Outcome } from '../sign-in/mail-queue.js'
import { sourceOf } from '../sign-in/source.js'
import { mailEnded } from '../telemetry/events.js'

/** Makes the function that records the outcome of a request for an email after the response. It does not keep the request itself. */
export function createMailNote ({ id: requestId, ip, log, server: { auditTrail } }: FastifyRequest) {
  const source = sourceOf(ip)
  return (noted: Outcome) => {
    const { outcome } = noted
    const userId = 'userId' in noted ? noted.userId : null
    const entry = { event: 'mail', outcome, userId, source, requestId }
    if (outcome === 'failed') log.error({ err: noted.failure, userId }, 'an email was not sent')
    if (outcome === 'sent' || outcome === 'failed') {
      mailEnded.publish({ outcome })
      auditTrail.record({ ...entry, isUnproven: true })
    } else auditTrail.recordUnproven(entry)
  }
}

/** Makes the function that records whether an email to a user was sent. */
export function createSentNote (request: FastifyRequest, userId: string) {
  const note = createMailNote(request)
  return (failure: Failure) => note(failure === null ? { outcome: 'sent', userId } : { outcome: 'failed', userId, failure })
}
