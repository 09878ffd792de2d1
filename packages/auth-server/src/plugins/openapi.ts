import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'

/** Collects the route schemas into an OpenAPI 3.1 document. */
export default fp<{ issuer: string }>(async function openapi (fastify, { issuer }) {
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Frontdesk auth-server', description: 'OAuth 2.0 authorization server: the authorization code grant with PKCE (RFC 6749 §4.1, RFC 7636) and the implicit grant (§4.2).', version: '0.1.0' },
      // Paths begin with that of the issuer.
      servers: [{ url: new URL(issuer).origin }]
    }
  })
}, { name: 'openapi', fastify: '5.x' })
