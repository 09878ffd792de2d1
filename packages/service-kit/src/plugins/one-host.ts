import fp from 'fastify-plugin'
import { headerValues } from '../header.js'

/**
 * Rejects a request without exactly one Host header (RFC 9112 §3.2) and closes its connection: Node.js would use the first of
 * several, and a proxy perhaps another one. HTTP/1.0 needs none. `error` makes the service's error for a malformed request.
 */
export default fp<{ error: (message: string) => Error }>(async function oneHost (fastify, { error }) {
  fastify.addHook('onRequest', ({ raw }, reply, done) => {
    const hosts = headerValues(raw.rawHeaders, 'host').length
    if (hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')) return done()
    reply.header('connection', 'close')
    done(error('Send one Host header.'))
  })
}, { name: 'one-host', fastify: '5.x' })
