import { whyNotOutgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { Type, type Static } from '@sinclair/typebox'
import type { Client } from '../oauth/client.js'
import { shortOf } from '../oauth/error-text.js'
import { metadataError } from '../oauth/errors.js'
import { ID_TOKEN_ALGS } from '../oauth/id-token-algs.js'
import { isLoopbackCallbackHost } from '../oauth/loopback.js'
import { allowedOf, parseScope } from '../oauth/scope.js'
import { findClientFaults, type ClientFault } from './client-faults.js'
import { assertLinks, MAX_LINK, storedLinks } from './client-links.js'
import { chooseMethod } from './auth-method.js'
import { arePublic } from './credentials.js'
import { ownSector } from './own-sector.js'
import { readShape } from './read-shape.js'

const uris = (description: string) => Type.Optional(Type.Array(Type.String(), { maxItems: 20, description }))
const words = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20, description }))

const link = (what: string) => Type.Optional(
  Type.String({ maxLength: MAX_LINK, description: `${what}: https. The consent page links to pages on the host of the callback.` })
)

/** Client metadata that has an effect here (RFC 7591 §2, OpenID Connect Dynamic Client Registration §2). Other members are ignored. */
export const ClientMetadata = Type.Object({
  client_name: Type.Optional(Type.String({ description: 'Name on the consent page. Left out: the host of the first callback.' })),
  redirect_uris: uris('Callbacks, compared byte for byte.'),
  grant_types: words('Grant types. Types that cannot be registered here are omitted. Default: authorization_code.'),
  response_types: words('Ignored: the grants decide.'),
  token_endpoint_auth_method: Type.Optional(
    Type.String({ description: 'How it authenticates at the token endpoint. Default: client_secret_basic.' })
  ),
  token_endpoint_auth_methods_supported: words('All methods that it can use, of which the strongest is taken.'),
  jwks_uri: Type.Optional(Type.String({ maxLength: 2000, description: 'Where it publishes its public keys, for private_key_jwt: https, in a public network.' })),
  jwks: Type.Optional(
    Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, maxItems: 20 }) }, { description: 'Its public keys, for private_key_jwt.' })
  ),
  scope: Type.Optional(Type.String({ maxLength: 2000, description: 'Default scope of requests.' })),
  application_type: Type.Optional(
    Type.Union([Type.Literal('web'), Type.Literal('native')], {
      description: 'native: loopback callbacks match with any port. Default: native if a callback is on loopback or has a private-use scheme.'
    })
  ),
  post_logout_redirect_uris: uris('Where it may have the browser sent after sign-out.'),
  backchannel_logout_uri: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Where its logout tokens are sent (OpenID Connect Back-Channel Logout §2.2): https, in a public network.' })
  ),
  backchannel_logout_session_required: Type.Optional(
    Type.Boolean({ description: 'Whether it requires sid in logout tokens. They always have one.' })
  ),
  subject_type: Type.Optional(
    Type.Union([Type.Literal('public'), Type.Literal('pairwise')], {
      description: 'pairwise: apps on different hosts see different subs for the same user. Requires callbacks on one https host. Default: public.'
    })
  ),
  sector_identifier_uri: Type.Optional(
    Type.String({ maxLength: MAX_LINK, description: 'A JSON array of callbacks that includes all of the app\'s: pairwise apps with the same host see the same sub. https, in a public network.' })
  ),
  id_token_signed_response_alg: Type.Optional(
    Type.Union(ID_TOKEN_ALGS.map(alg => Type.Literal(alg)), { description: 'Algorithm that signs its ID tokens. Default: RS256.' })
  ),
  userinfo_signed_response_alg: Type.Optional(
    Type.Union(ID_TOKEN_ALGS.map(alg => Type.Literal(alg)), { description: 'Algorithm that signs /userinfo responses. Default: none; they are JSON.' })
  ),
  client_uri: link('Its home page'),
  logo_uri: link('Its logo, which is never shown or fetched'),
  policy_uri: link('Its privacy policy'),
  tos_uri: link('Its terms of service'),
  require_pushed_authorization_requests: Type.Optional(Type.Boolean({ description: 'Whether it must push its authorization requests (RFC 9126).' })),
  dpop_bound_access_tokens: Type.Optional(Type.Boolean({ description: 'Whether it must bind its access tokens to a key (RFC 9449 §5.2).' }))
})
export type ClientMetadata = Static<typeof ClientMetadata>

/** The columns of an app that its metadata decides. */
export type RegisteredFields = Pick<
  Client,
  | 'name' | 'callbacks' | 'postLogoutRedirectUris' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'defaultScope' | 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' | 'jwks' | 'jwksUri' | 'native'
  | 'idTokenSignedResponseAlg' | 'userinfoSignedResponseAlg' | 'sectorIdentifier' | 'links' | 'requirePushedAuthorizationRequests' | 'dpopBoundAccessTokens'
> & { readonly implicit: 'allowed' | 'off' }

/** Most addresses that one response explains. */
const MAX_NAMED_FAULTS = 3

/** Names of columns in the metadata. */
const MEMBERS: Record<ClientFault['field'], string> = {
  name: 'client_name',
  callbacks: 'redirect_uris',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  backchannelLogoutUri: 'backchannel_logout_uri',
  resources: 'resources',
  defaultScope: 'scope',
  grantTypes: 'grant_types',
  tokenEndpointAuthMethod: 'token_endpoint_auth_method',
  pkce: 'pkce',
  jwks: 'jwks',
  jwksUri: 'jwks_uri'
}

/** What an app that registers itself may ask for. */
export interface MetadataRules {
  /** Grants that it may register for; others are left out, as RFC 7591 §2 allows. */
  readonly grants: readonly string[]
  /** Space-separated scopes that it may ask for; others are left out. `null`: any. */
  readonly allowedScope: string | null
  /** Method of authentication, if it names none. */
  readonly usualMethod?: string
  /** Whether its logout tokens may be sent to loopback by http. */
  readonly allowPrivateNetworks: boolean
  /** Private-use schemes without a dot that its callbacks may have. */
  readonly callbackSchemes: readonly string[]
}

/**
 * Reads the metadata of an app that registers itself, by the rules for all apps.
 * @throws OAuthError `invalid_redirect_uri` or `invalid_client_metadata`
 */
export function readClientMetadata (
  metadata: unknown, { grants, allowedScope, usualMethod = 'client_secret_basic', allowPrivateNetworks, callbackSchemes }: MetadataRules
): RegisteredFields {
  const found = readShape(ClientMetadata, metadata)
  assertLinks(found)
  const { redirect_uris: callbacks = [], grant_types: asked = ['authorization_code'], jwks, jwks_uri: jwksUri } = found
  const granted = [...new Set(asked)].filter(it => grants.includes(it))
  if (granted.length === 0) throw metadataError(`grant_types: An app may register itself only for ${grants.join(', ')}.`)
  if ((granted.includes('authorization_code') || granted.includes('implicit')) && callbacks.length === 0) {
    throw metadataError('redirect_uris: An app with this grant needs a callback.', 'invalid_redirect_uri')
  }
  if (jwks !== undefined && !arePublic(jwks.keys)) throw metadataError('jwks: The keys must all be public: each with kty, none with d or k.')
  const method = chooseMethod(found, usualMethod)
  const hasKeys = method === 'private_key_jwt'
  const fields: RegisteredFields = {
    name: found.client_name ?? usualName(callbacks),
    callbacks: [...new Set(callbacks)],
    postLogoutRedirectUris: [...new Set(found.post_logout_redirect_uris)],
    backchannelLogoutUri: found.backchannel_logout_uri ?? null,
    backchannelLogoutSessionRequired: found.backchannel_logout_session_required ?? false,
    defaultScope: found.scope ?? '',
    grantTypes: granted.filter(it => it !== 'implicit'),
    implicit: granted.includes('implicit') ? 'allowed' : 'off',
    tokenEndpointAuthMethod: method,
    pkce: 'required',
    // Keys that nothing is verified with are not kept.
    jwks: jwks === undefined || !hasKeys ? null : JSON.stringify({ keys: jwks.keys }),
    jwksUri: hasKeys ? jwksUri ?? null : null,
    native: found.application_type === undefined ? callbacks.some(isOnDevice) : found.application_type === 'native',
    idTokenSignedResponseAlg: found.id_token_signed_response_alg ?? 'RS256',
    userinfoSignedResponseAlg: found.userinfo_signed_response_alg ?? null,
    sectorIdentifier: found.subject_type === 'pairwise' ? ownSector(callbacks, found.sector_identifier_uri) : null,
    links: storedLinks(found),
    requirePushedAuthorizationRequests: found.require_pushed_authorization_requests ?? false,
    dpopBoundAccessTokens: found.dpop_bound_access_tokens ?? false
  }
  assertNoFault(findClientFaults(fields, callbackSchemes), found)
  const requested = [
    ['backchannel_logout_uri', fields.backchannelLogoutUri], ['jwks_uri', fields.jwksUri], ['sector_identifier_uri', found.sector_identifier_uri || null]
  ] as const
  for (const [name, uri] of requested) {
    const unsent = uri === null ? null : whyNotOutgoing(uri, allowPrivateNetworks)
    if (unsent !== null) throw metadataError(`${name}: It must be ${unsent}.`)
  }
  return { ...fields, defaultScope: allowedOf(parseScope(fields.defaultScope), allowedScope).join(' ') }
}

/**
 * @param metadata as it was sent: the columns have no repeated address
 * @throws OAuthError with every refused address of the first list with one, and why
 */
function assertNoFault (faults: readonly ClientFault[], metadata: ClientMetadata): void {
  const [first] = faults
  if (first === undefined) return
  const member = MEMBERS[first.field]
  // as: only the members that are lists have an index.
  const uris = first.index === undefined ? [] : (metadata as Record<string, string[]>)[member] ?? []
  const uniqueUris = [...new Set(uris)]
  const sentences = faults.filter(({ field }) => field === first.field).slice(0, MAX_NAMED_FAULTS).map(({ index, sentence }) => {
    const uri = index === undefined ? undefined : uniqueUris[index]
    return uri === undefined ? `${member}: ${sentence}` : `${member}[${uris.indexOf(uri)}] (${shortOf(uri)}): ${sentence}`
  })
  throw metadataError(sentences.join(' '), first.field === 'callbacks' ? 'invalid_redirect_uri' : undefined)
}

function usualName ([callback]: readonly string[]): string {
  return (callback !== undefined && URL.canParse(callback) && new URL(callback).hostname.slice(0, 100)) || 'An app without a name'
}

/** Whether a callback leads to a program on the device of the user (RFC 8252 §7.1, §7.3). */
function isOnDevice (callback: string): boolean {
  if (!URL.canParse(callback)) return false
  const { protocol, hostname } = new URL(callback)
  return protocol !== 'https:' && (protocol !== 'http:' || isLoopbackCallbackHost(hostname))
}
