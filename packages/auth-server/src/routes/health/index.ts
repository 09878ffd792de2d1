import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Health } from '@frontdesk/schemas/health'
import type { KeyRing } from '../../keys/key-ring.js'
import { describeFullAudit, type Audit } from '../../stores/operation/audit.js'

interface Options {
  ping: () => Promise<string>
  keys: Pick<KeyRing, 'canSign'>
  audit: Pick<Audit, 'count'>
  /** Maximum rows of the audit trail. */
  auditMaxRows: number
}

/**
 * `/health/live`: the process is running. `/health/ready`: it can serve requests; 503 if the database does not respond or its file was
 * removed, no key can sign, or the process is stopping.
 */
const health: FastifyPluginAsyncTypebox<Options> = async function health (fastify, { ping, keys, audit, auditMaxRows }) {
  fastify.addHook('onRequest', async (request, reply) => { reply.header('cache-control', 'no-store') })

  fastify.get('/health/live', {
    config: { vital: true, polled: true },
    schema: { operationId: 'checkLiveness', summary: 'Check that the process is running', tags: ['Health'], response: { 200: Health } }
  }, async () => ({ status: 'ok' as const, checks: {} }))

  fastify.get('/health/ready', {
    config: { vital: true, polled: true },
    // To compile the schema would take a twentieth of the start.
    serializerCompiler: () => JSON.stringify,
    schema: {
      operationId: 'checkReadiness',
      summary: 'Check that the service is ready',
      tags: ['Health'],
      response: { 200: Health, 503: Health }
    }
  }, async (request, reply) => {
    const [database, rows] = await Promise.all([ping().catch(() => 'does not answer'), audit.count().catch(() => 0)])
    const checks = { database, keys: keys.canSign() ? 'ok' : 'none signs', process: fastify.draining ? 'stopping' : 'ok' }
    const ready = Object.values(checks).every(check => check === 'ok')
    // Only notices: the service uses the database's clock, and trims the audit trail.
    const [clock, fullAudit] = [fastify.clockFault(), describeFullAudit(rows, auditMaxRows)]
    const notices = { ...(clock && { clock }), ...(fullAudit && { audit: fullAudit }), ...fastify.startNotices }
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', checks: { ...checks, ...notices } })
  })
}
export default health
