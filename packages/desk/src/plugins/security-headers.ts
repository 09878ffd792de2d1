import fp from 'fastify-plugin'
import type { Config } from '../config.js'

/**
 * Sets the headers of every response. Only the page's own files run, without inline scripts and styles; only lit-html builds DOM
 * from strings, and only the two services can be called. No Cross-Origin-Opener-Policy: it would separate a sign-in popup from
 * the page that opened it.
 */
export default fp<{ config: Config }>(async function securityHeaders (fastify, { config: { issuer, customerUrl } }) {
  const headers = {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      `connect-src 'self' ${new URL(issuer).origin} ${new URL(customerUrl).origin}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html'
    ].join('; '),
    'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY'
  }
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    done()
  })
}, { name: 'security-headers', fastify: '5.x' })
