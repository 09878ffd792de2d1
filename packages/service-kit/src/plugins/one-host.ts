import fp from 'fastify-plugin'
import { headerValues } from '../header.js'

/** @param error the error of the service for a malformed request; the message is for the log or the client, as the service does */
interface OneHostOptions {
  error: (message: string) => Error
}

/**
 * Refuses a request without exactly one Host header (RFC 9112 §3.2) and closes its connection: Node.js keeps the first
 * of several and drops the others, and a proxy in front may have gone by another one. HTTP/1.0 needs none.
 */
export default fp<OneHostOptions>(async function oneHost (fastify, { error }) {
  fastify.addHook('onRequest', ({ raw }, reply, done) => {
    const hosts = headerValues(raw.rawHeaders, 'host').length
    if (hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')) return done()
    reply.header('connection', 'close')
    done(error('Send one Host header.'))
  })
}, { name: 'one-host', fastify: '5.x' })
