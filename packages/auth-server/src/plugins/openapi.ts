import swagger from '@fastify/swagger'
import { commonHeaders, documentHeaders, type HeaderRule } from '@frontdesk/service-kit/document-headers'
import { documentSchemas } from '@frontdesk/service-kit/document-schemas'
import { readVersion } from '@frontdesk/service-kit/telemetry/version'
import fp from 'fastify-plugin'

/** Groups of operations, in order. */
const tags = [
  { name: 'OAuth 2.0', description: 'What apps and resource servers call' },
  { name: 'OpenID Connect', description: 'Identity of the user who signed in' },
  { name: 'Consent page', description: 'Where people sign in, allow and deny' },
  { name: 'Device page', description: 'Where people enter a device\'s code' },
  { name: 'Account page', description: 'Where people manage the access they granted' },
  { name: 'Administration', description: 'What administrators call' },
  { name: 'Health', description: 'For load balancers and monitoring' }
]

/** Client authentication. OpenAPI has no name for credentials in a form. */
const securitySchemes = {
  bearer: { type: 'http' as const, scheme: 'bearer', description: 'An access token of this server.' },
  clientSecretBasic: {
    type: 'http' as const,
    scheme: 'basic',
    description:
      '`client_secret_basic` (RFC 6749 §2.3.1): identifier and secret, each form-encoded. Or the form authenticates the client: `client_secret_post` with `client_id` and `client_secret`; `private_key_jwt` with `client_assertion_type` and `client_assertion`, a JWT that the client signed (RFC 7523 §2.2). A public client sends `client_id` alone.'
  }
}

const headers: readonly HeaderRule[] = [
  ...commonHeaders,
  { name: 'location', description: 'Where the browser goes next.', statuses: /^30[23]$/ }
]

/** Collects the route schemas into an OpenAPI 3.1 document. An operation without `security` is open. */
export default fp<{ issuer: string }>(async function openapi (fastify, { issuer }) {
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Frontdesk auth-server',
        description:
          'OAuth 2.0 authorization server: the authorization code grant with PKCE (RFC 6749 §4.1, RFC 7636), refresh tokens (§6), client credentials (§4.4), the implicit grant (§4.2) and the device authorization grant (RFC 8628).',
        version: readVersion(new URL('../../../package.json', import.meta.url)),
        license: { name: 'MIT', identifier: 'MIT' }
      },
      // The paths include the issuer's path.
      servers: [{ url: new URL(issuer).origin }],
      tags,
      components: { securitySchemes }
    },
    transform: ({ schema, url }) => ({ url, schema: { ...schema, security: schema?.security ?? [] } }),
    transformObject: document => 'openapiObject' in document
      ? documentSchemas(documentHeaders(document.openapiObject, headers))
      : document.swaggerObject
  })
}, { name: 'openapi', fastify: '5.x' })
