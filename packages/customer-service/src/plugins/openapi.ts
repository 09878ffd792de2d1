import swagger from '@fastify/swagger'
import { customerScopes } from '@frontdesk/schemas/customer-scope'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'

/** Describes the routes, from their schemas, in OpenAPI 3.1. */
export default fp<Pick<Config, 'auth' | 'serviceRoot'>>(async function openapi (fastify, { auth, serviceRoot }) {
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'customer-service', version: '0.1.0', description: 'The customer register.' },
      servers: [{ url: serviceRoot === '' ? '/' : new URL(serviceRoot).origin }],
      ...(auth === null ? {} : { components: { securitySchemes: { token: securityScheme(auth.issuer) } } })
    },
    transform ({ schema, url, route }) {
      const scope = route.config?.scope
      return { url, schema: auth === null || scope === undefined ? schema : { ...schema, security: [{ token: [scope] }] } }
    }
  })
}, { name: 'openapi', fastify: '5.x' })

function securityScheme (issuer: string) {
  const authorizationUrl = `${issuer.replace(/\/$/, '')}/authorize`
  return { type: 'oauth2' as const, flows: { implicit: { authorizationUrl, scopes: customerScopes } } }
}
