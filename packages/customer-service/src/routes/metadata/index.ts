import { customerScopes, type CustomerScope } from '@frontdesk/schemas/customer-scope'
import { DPOP_ALGS } from '@frontdesk/service-kit/dpop/proof'
import { ProtectedResourceMetadata } from '@frontdesk/schemas/metadata'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.js'

const PATH = '/.well-known/oauth-protected-resource'

/** Path of the endpoint for assistants, after the prefix. */
export const MCP_PATH = '/mcp'

const READ: CustomerScope = 'customer:read'

const schema = {
  operationId: 'getProtectedResourceMetadata',
  summary: 'Protected resource metadata (RFC 9728)',
  tags: ['discovery'],
  response: { 200: ProtectedResourceMetadata }
}

/** `GET /.well-known/oauth-protected-resource`, followed by the path of the resource (RFC 9728 §3.1). */
export default async function metadata (fastify: FastifyInstance, { config }: { config: Config }) {
  const { auth, mcp, prefix } = config
  if (auth === null) return
  describe(auth.audience, Object.keys(customerScopes), ['', prefix])
  // Assistants request every scope that is listed: they begin with reading, and a challenge names more when they need it.
  if (mcp) describe(mcpResource(config), [READ], [prefix + MCP_PATH])

  function describe (resource: string, scopes: string[], suffixes: string[]) {
    const metadata: ProtectedResourceMetadata = {
      resource,
      // !: checked above.
      authorization_servers: [auth!.issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: [...DPOP_ALGS]
    }
    const document = Buffer.from(JSON.stringify(metadata))
    for (const suffix of new Set(suffixes)) {
      // The API reference shows only the path of the REST API (RFC 9728 §3.1).
      fastify.get(PATH + suffix, { config: { polled: true }, schema: { ...schema, hide: suffix !== prefix } }, async (request, reply) =>
        await reply.header('Cache-Control', 'public, max-age=300').sendDocument(document))
    }
  }
}

/** Resource identifier of `/mcp`: its URL. */
export function mcpResource (config: Config): string {
  return publicRoot(config) + MCP_PATH
}

/**
 * URL of the metadata, for challenges (RFC 9728 §5.1); `undefined` if the public address is unknown.
 * @param path of the resource, after the prefix; empty: the REST API
 */
export function metadataUrl (config: Config, path = ''): string | undefined {
  const origin = publicOrigin(config)
  return origin === undefined ? undefined : origin + PATH + config.prefix + path
}

/** Origin of this service's public address; `undefined` if it is unknown. */
export function publicOrigin ({ serviceRoot, auth }: Config): string | undefined {
  const base = serviceRoot === '' ? auth?.audience : serviceRoot
  return base !== undefined && /^https?:/.test(base) ? new URL(base).origin : undefined
}

/** This service's absolute URL without trailing slash: the setting, else the public origin, else one on this machine. */
export function publicRoot (config: Config): string {
  return config.serviceRoot === '' ? publicOrigin(config) ?? `http://localhost:${config.port}` : config.serviceRoot
}
