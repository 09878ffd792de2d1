import { isLoopback } from '@frontdesk/service-kit/address'
import type { FastifyPluginAsync } from 'fastify'
import { message } from '../../languages/translator.js'
import type { ShownMails } from '../../mail/mailer.js'

/**
 * `GET /mails`, in development: shows emails instead of sending them. Since they contain links to accounts, it serves this machine
 * only: other addresses, proxies, and host names that another site could control (DNS rebinding) get 404.
 */
const mails: FastifyPluginAsync<{ shown: ShownMails }> = async function mails (fastify, { shown }) {
  fastify.get('/mails', { schema: { hide: true } }, async (request, reply) => {
    const { headers, raw, hostname } = request
    const isProxied = headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined
    if (isProxied || !isLoopback(raw.socket.remoteAddress ?? '') || !isLoopback(hostname)) return reply.callNotFound()
    return await reply.page('mails', { title: message('mails.title'), mails: shown.list(), isDocument: true })
  })
}
export default mails
