import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { OAuthError } from '../oauth/errors.js'
import { sourceOf } from '../sign-in/source.js'
import type { Audit, REQUEST_EVENTS, Trimming } from '../stores/operation/audit.js'
import { AuditTrail, type AuditEntry } from '../stores/operation/audit-trail.js'
import { requestRefused } from '../telemetry/events.js'

/** An event, without the fields that the request provides. */
type Entry = Omit<AuditEntry, 'event' | 'source' | 'requestId'> & { event: typeof REQUEST_EVENTS[number] }

declare module 'fastify' {
  interface FastifyInstance {
    readonly auditTrail: AuditTrail
  }
  interface FastifyRequest {
    /** Asynchronously records an event of an authenticated user or client. */
    audit: (entry: Entry) => void
    /** Asynchronously records an unauthenticated event, rate-limited. */
    auditUnproven: (entry: Entry) => void
    /** Logs, counts and records a response with an error of the protocol. */
    noteRefusal: (error: OAuthError, client?: string) => void
  }
}

/** The audit trail of requests and refusals. */
export default fp<{ audit: Audit, trimming: Trimming }>(async function audit (fastify, { audit, trimming }) {
  const onLoss = (err: unknown, rows: number) => fastify.log.error({ err, rows }, 'rows of the audit trail are lost')
  const trail = new AuditTrail(audit, { onLoss, trimming, now: () => fastify.clock.now() })
  fastify.decorate('auditTrail', trail)
  fastify.addHook('onClose', () => trail.close())

  fastify.decorateRequest('audit', function audit (this: FastifyRequest, entry: Entry) {
    trail.record({ ...entry, source: sourceOf(this.ip), requestId: this.id })
  })
  fastify.decorateRequest('auditUnproven', function auditUnproven (this: FastifyRequest, entry: Entry) {
    trail.recordUnproven({ ...entry, source: sourceOf(this.ip), requestId: this.id })
  })
  fastify.decorateRequest('noteRefusal', function noteRefusal (
    this: FastifyRequest,
    { error, message: reason, facts }: OAuthError,
    known?: string
  ) {
    const { client = known, ...details } = facts
    this.log.info({ reason, client, ...details }, error)
    requestRefused.publish({ error })
    this.auditUnproven({
      event: 'refusal', outcome: error, clientId: typeof client === 'string' ? client : null, details: { reason, ...details }
    })
  })
}, { name: 'audit', fastify: '5.x' })
