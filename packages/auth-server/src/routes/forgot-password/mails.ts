import { isLoopback } from '@frontdesk/service-kit/address'
import type { FastifyPluginAsync } from 'fastify'
import type { ShownMails } from '../../mail/mailer.js'

/**
 * `GET /mails`, in development: emails that are shown instead of sent. They have links to accounts, so it serves this machine
 * only: other addresses, proxies, and other host names, which another site could get (DNS rebinding), get 404.
 */
const mails: FastifyPluginAsync<{ shown: ShownMails }> = async function mails (fastify, { shown }) {
  fastify.get('/mails', { schema: { hide: true } }, async (request, reply) => {
    const { headers, raw, hostname } = request
    const isProxied = headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined
    if (isProxied || !isLoopback(raw.socket.remoteAddress ?? '') || !isLoopback(hostname)) return reply.callNotFound()
    return await reply.page('mails', { title: 'Emails', mails: shown.list(), isDocument: true })
  })
}
export default mails
