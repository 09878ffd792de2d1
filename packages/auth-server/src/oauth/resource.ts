import { reservedCustomerScopes, type CustomerScope } from '@frontdesk/schemas/customer-scope'
import { adminScopes, canAdminister } from './admin-scopes.js'
import type { Client } from './client.js'
import { errors, severalResourcesError } from './errors.js'
import { isSelfRegistered } from './identity.js'
import type { Parameters } from './parameters.js'
import { canReadDirectory, DIRECTORY_SCOPE } from './reserved-scopes.js'

/** The resources that the server itself has. */
export interface ServerResources {
  /** The server itself: the directory. */
  readonly issuer: string
  /** Resource of tokens whose request names none. */
  readonly defaultAudience: string
  /** The administration API; `undefined`: it is off. */
  readonly adminAudience: string | undefined
  /** MCP servers. */
  readonly mcpResources: readonly string[]
}

/** Assistants begin with reading. */
const ASSISTANT_SCOPE: CustomerScope = 'customer:read'

type Requester = Pick<Client, 'resources' | 'allowedScope' | 'registeredBy'>

/**
 * The resource of a token (RFC 8707 §2), as registered.
 * @throws OAuthError `invalidTarget` if the client is not allowed to request it, or requests several
 */
export function readAudience (parameters: Parameters, client: Requester, server: ServerResources): string {
  return readResource(parameters, client, server) ?? server.defaultAudience
}

/** The resource of a request, as registered; `undefined` without one. @throws OAuthError as {@link readAudience} does */
export function readResource (
  parameters: Parameters, client: Requester, { issuer, defaultAudience, adminAudience }: ServerResources
): string | undefined {
  const asked = singleResource(parameters)
  if (asked === undefined) return undefined
  const admin = adminAudience !== undefined && canAdminister(client) ? [adminAudience] : []
  const directory = canReadDirectory(client) ? [issuer] : []
  const known = [defaultAudience, ...client.resources, ...admin, ...directory]
  const found = known.includes(asked) ? asked : known.find(it => isSameResource(it, asked))
  if (found === undefined) throw errors.invalidTarget('resource is not allowed for the client')
  return found
}

/**
 * The resource of a token for a refresh token (RFC 8707 §2.2): the granted one, or the directory if its scope was granted.
 * @throws OAuthError `invalidTarget` if the form names another resource, or several
 */
export function refreshedResource (form: Parameters, granted: { audience: string, scope: string }, { issuer }: ServerResources): string {
  const asked = singleResource(form)
  if (asked === undefined || isSameResource(asked, granted.audience)) return granted.audience
  if (isSameResource(asked, issuer) && granted.scope.split(' ').includes(DIRECTORY_SCOPE)) return issuer
  throw errors.invalidTarget('resource was not granted')
}

/** The reserved scopes that tokens for a resource can have. An assistant has none. */
export function reservedScopesOf (audience: string, server: ServerResources): readonly string[] {
  if (audience === server.adminAudience) return Object.keys(adminScopes)
  if (audience === server.issuer) return [DIRECTORY_SCOPE]
  return isMcpServer(audience, server) ? [] : Object.keys(reservedCustomerScopes)
}

/** Whether a resource is an MCP server, so that clients that request it are assistants. */
export function isMcpServer (audience: string, { mcpResources }: Pick<ServerResources, 'mcpResources'>): boolean {
  return mcpResources.some(it => isSameResource(it, audience))
}

/** The scopes of requests for a resource. */
export interface ResourceScopes {
  /** The scope of a request without one, space-separated. */
  readonly usual: string
  /** The reserved scopes that an access token for the resource can have. */
  readonly reserved: readonly string[]
  /** Those that can be granted with it: a refresh token gets tokens for the directory, too. */
  readonly refreshed: readonly string[]
}

/** The scopes of a client's requests for a resource. For an MCP server, the default scope of a self-registered client does not count. */
export function scopesOf (
  audience: string, client: Pick<Client, 'defaultScope' | 'registeredBy'>, server: ServerResources
): ResourceScopes {
  const reserved = reservedScopesOf(audience, server)
  if (!isMcpServer(audience, server)) return { usual: client.defaultScope, reserved, refreshed: [...reserved, DIRECTORY_SCOPE] }
  return { usual: isSelfRegistered(client) ? ASSISTANT_SCOPE : client.defaultScope, reserved, refreshed: reserved }
}

/** Tokens are for one resource. RFC 8707 §2 allows several, and `invalid_target` if they are not acceptable. */
function singleResource ({ resource }: Parameters): string | undefined {
  if (Array.isArray(resource)) throw severalResourcesError()
  return resource === '' ? undefined : resource
}

/** Whether two addresses are equal by RFC 3986 §6.2.3: URL libraries add the slash of an empty path, and omit the default port. */
export function isSameResource (one: string, other: string): boolean {
  return one === other || normalize(one) === normalize(other)
}

const USUAL_PORT: Readonly<Record<string, RegExp>> = { http: /:(80)?$/, https: /:(443)?$/ }

function normalize (uri: string): string {
  const [, scheme, authority = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#@]+)(?=[/?#]|$)(.*)$/is.exec(uri) ?? []
  if (scheme === undefined) return uri
  const host = authority.toLowerCase().replace(USUAL_PORT[scheme.toLowerCase()] ?? /:$/, '')
  return `${scheme.toLowerCase()}://${host}${rest.startsWith('/') ? rest : `/${rest}`}`
}
