import { isLoopback } from '@frontdesk/service-kit/address'
import type { FastifyPluginAsync } from 'fastify'
import type { ShownMails } from '../../mail/shown-mails.js'

/**
 * `GET /mails`, in development: the mails that no server sends. They hold links into accounts, so it answers this machine
 * only: to other addresses, through a proxy, or by another name, as another site could get one (DNS rebinding), it is not there.
 */
const mails: FastifyPluginAsync<{ shown: ShownMails }> = async function mails (fastify, { shown }) {
  fastify.get('/mails', { schema: { hide: true } }, async (request, reply) => {
    const { headers, raw, hostname } = request
    const isProxied = headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined
    if (isProxied || !isLoopback(raw.socket.remoteAddress ?? '') || !isLoopback(hostname)) return reply.callNotFound()
    return await reply.page('mails', { title: 'Mails', mails: shown.list(), isDocument: true })
  })
}
export default mails
