import { joinOr } from '@frontdesk/service-kit/join-or'
import { whyNotOutgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { Type, type Static, type TOptional, type TSchema, type TUnsafe } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { choicesOf, usualText, type Written } from '../oauth/client-field.js'
import type { clientFields } from '../oauth/client-fields.js'
import { everyField, ownFields, wireName, type AnyField, type Client, type ClientField } from '../oauth/client.js'
import { shortOf } from '../oauth/error-text.js'
import { metadataError } from '../oauth/errors.js'
import { isLoopbackCallbackHost } from '../oauth/redirect-uri.js'
import { allowedOf, parseScope } from '../oauth/scope.js'
import { chooseMethod } from './auth-method.js'
import { findClientFaults, type ClientFault } from './client-faults.js'
import { assertLinks, MAX_LINK, storedLinks } from './client-links.js'
import { needsCallback } from './client-rules.js'
import { arePublic } from './credentials.js'
import { ownSector } from './sector.js'

type Table = typeof clientFields

type WireName<Field> = Field extends { wire: infer Name extends string } ? Name
  : Field extends { wire: { name: infer Name extends string } } ? Name : never

/** Name of a field that is a member of the metadata. */
type WireField = { [Name in ClientField]: Table[Name] extends { wire: unknown } ? Name : never }[ClientField]

/** The members that are a field. */
type FieldMembers = { [Name in keyof Table as WireName<Table[Name]>]: TOptional<TUnsafe<NonNullable<Written<Table[Name]>>>> }

const members = everyField.flatMap(([, field]) => {
  const name = wireName(field)
  if (name === undefined) return []
  const { note = '', default: usual = usualText(field) } = typeof field.wire === 'object' ? field.wire : {}
  return [[name, Type.Optional(memberOf(field, `${field.says}${note}.${usual === undefined ? '' : ` Default: ${usual}.`}`))] as const]
})

function memberOf ({ file, schema = file ?? Type.Never() }: AnyField, description: string): TSchema {
  const choices = choicesOf(schema)
  if (choices.length > 0) return Type.Union(choices.map(it => Type.Literal(it)), { description })
  if (schema.type === 'boolean') return Type.Boolean({ description })
  return schema.type === 'array' ? Type.Array(Type.String(), { maxItems: 20, description }) : Type.String({ maxLength: MAX_LINK, description })
}

const link = (what: string) => Type.Optional(
  Type.String({ maxLength: MAX_LINK, description: `${what}: https. The consent page links to pages on the host of the callback.` })
)
const ignored = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20, description }))

/** Client metadata that has an effect here (RFC 7591 §2, OpenID Connect Dynamic Client Registration §2). Other members are ignored. */
export const ClientMetadata = Type.Object({
  // as: made from the fields above.
  ...Object.fromEntries(members) as FieldMembers,
  jwks: Type.Optional(
    Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, maxItems: 20 }) }, { description: 'Its public keys, for private_key_jwt.' })
  ),
  response_types: ignored('Ignored: the grants decide.'),
  token_endpoint_auth_methods_supported: ignored('All methods that it supports; the server selects the strongest.'),
  application_type: Type.Optional(
    Type.Union([Type.Literal('web'), Type.Literal('native')], {
      description: 'native: loopback callbacks match with any port. Default: native if a callback is on loopback or has a private-use scheme.'
    })
  ),
  sector_identifier_uri: Type.Optional(
    Type.String({ maxLength: MAX_LINK, description: 'A JSON array of callbacks that includes all of the client\'s: pairwise clients with the same host see the same sub. https, in a public network.' })
  ),
  client_uri: link('Its home page'),
  logo_uri: link('Its logo, which is never shown or fetched'),
  policy_uri: link('Its privacy policy'),
  tos_uri: link('Its terms of service')
})
export type ClientMetadata = Static<typeof ClientMetadata>

/** The fields of a client that its metadata sets. */
export type RegisteredFields = Pick<Client, WireField | 'pkce' | 'native' | 'sectorIdentifier' | 'links'> & { readonly implicit: 'allowed' | 'off' }

/** Maximum refused addresses in a response. */
const MAX_NAMED_FAULTS = 3

/** Names of fields in the metadata. */
const MEMBERS = new Map<ClientField, string | undefined>(ownFields.map(([name, field]) => [name, wireName(field)]))

/** What a client can register itself for. */
export interface MetadataRules {
  /** Grant types that it can register for; others are omitted, as RFC 7591 §2 allows. */
  readonly grants: readonly string[]
  /** Space-separated scopes that it can request; others are omitted. `null`: any that is not reserved. */
  readonly allowedScope: string | null
  /** Default authentication method. */
  readonly usualMethod?: string
  /** Whether its logout tokens can be sent to loopback by http. */
  readonly allowPrivateNetworks: boolean
  /** Private-use schemes without a dot that its callbacks can have. */
  readonly callbackSchemes: readonly string[]
}

/**
 * Reads the metadata of a client that registers itself, by the rules for all clients.
 * @throws OAuthError `invalid_redirect_uri` or `invalid_client_metadata`
 */
export function readClientMetadata (
  metadata: unknown, { grants, allowedScope, usualMethod = 'client_secret_basic', allowPrivateNetworks, callbackSchemes }: MetadataRules
): RegisteredFields {
  const found = readShape(ClientMetadata, metadata)
  assertLinks(found)
  const { redirect_uris: callbacks = [], grant_types: asked = ['authorization_code'], jwks, jwks_uri: jwksUri } = found
  const granted = [...new Set(asked)].filter(it => grants.includes(it))
  if (granted.length === 0) throw metadataError('grant_types', `A client may register itself only for ${grants.join(', ')}.`)
  const implicit = granted.includes('implicit') ? 'allowed' : 'off'
  if (needsCallback({ implicit, grantTypes: granted }) && callbacks.length === 0) {
    throw metadataError('redirect_uris', 'A client with this grant needs a callback.')
  }
  if (jwks !== undefined && !arePublic(jwks.keys)) {
    throw metadataError('jwks', 'The keys must all be public: each with kty, none with d or k.')
  }
  const method = chooseMethod(found, usualMethod)
  const hasKeys = method === 'private_key_jwt'
  const fields: RegisteredFields = {
    ...plainFields(found),
    name: found.client_name ?? usualName(callbacks),
    grantTypes: granted.filter(it => it !== 'implicit'),
    implicit,
    tokenEndpointAuthMethod: method,
    pkce: 'required',
    // Unused keys are not stored.
    jwks: jwks === undefined || !hasKeys ? null : JSON.stringify({ keys: jwks.keys }),
    jwksUri: hasKeys ? jwksUri ?? null : null,
    native: found.application_type === undefined ? callbacks.some(isOnDevice) : found.application_type === 'native',
    sectorIdentifier: found.subject_type === 'pairwise' ? ownSector(callbacks, found.sector_identifier_uri) : null,
    links: storedLinks(found)
  }
  const requested = [
    ['backchannel_logout_uri', fields.backchannelLogoutUri], ['jwks_uri', fields.jwksUri], ['sector_identifier_uri', found.sector_identifier_uri || null]
  ] as const
  for (const [name, uri] of requested) {
    const unsent = uri === null ? null : whyNotOutgoing(uri, allowPrivateNetworks)
    if (unsent !== null) throw metadataError(name, `It must be ${unsent}.`)
  }
  assertNoFault(findClientFaults(fields, callbackSchemes), found)
  return { ...fields, defaultScope: allowedOf(parseScope(fields.defaultScope), allowedScope ?? '*').join(' ') }
}

/** The fields of members that need no conversion, or their defaults. Lists contain each value once. */
function plainFields (metadata: Record<string, unknown>): Pick<Client, WireField> {
  const values = ownFields.flatMap(([name, field]) => {
    const member = wireName(field)
    if (member === undefined) return []
    const value = metadata[member] ?? field.default
    return [[name, Array.isArray(value) ? [...new Set(value)] : value]]
  })
  // as: the members have the types of their fields.
  return Object.fromEntries(values) as Pick<Client, WireField>
}

/**
 * @param metadata as sent: the fields contain no repeated addresses
 * @throws OAuthError with the refused addresses of the first invalid list, and why
 */
function assertNoFault (faults: readonly ClientFault[], metadata: ClientMetadata): void {
  const [first] = faults
  if (first === undefined) return
  const member = MEMBERS.get(first.field) ?? first.field
  // as: only the members that are lists have an index.
  const uris = first.index === undefined ? [] : (metadata as Record<string, string[]>)[member] ?? []
  const uniqueUris = [...new Set(uris)]
  const placeOf = ({ index = -1 }: ClientFault) => {
    const uri = uniqueUris[index]
    return uri === undefined ? member : `${member}[${uris.indexOf(uri)}] (${shortOf(uri)})`
  }
  const others = faults.filter(it => it !== first && it.field === first.field).slice(0, MAX_NAMED_FAULTS - 1)
  const sentences = [first.sentence, ...others.map(it => `${placeOf(it)}: ${it.sentence}`)]
  throw metadataError(member, sentences.join(' '), placeOf(first))
}

function usualName ([callback]: readonly string[]): string {
  return (callback !== undefined && URL.canParse(callback) && new URL(callback).hostname.slice(0, 100)) || 'An app without a name'
}

/** Whether a callback leads to a program on the user's device (RFC 8252 §7.1, §7.3). */
function isOnDevice (callback: string): boolean {
  if (!URL.canParse(callback)) return false
  const { protocol, hostname } = new URL(callback)
  return protocol !== 'https:' && (protocol !== 'http:' || isLoopbackCallbackHost(hostname))
}

/** Checks the types of metadata. @throws OAuthError with the first invalid member, and what it must be */
function readShape<T extends TSchema> (schema: T, metadata: unknown): Static<T> {
  const fault = Value.Errors(schema, metadata).First()
  // as: the schema was checked.
  if (fault === undefined) return metadata as Static<T>
  // The path contains no names from the request: unknown members are not checked.
  const place = fault.path.slice(1).replaceAll('/', '.') || 'The metadata'
  const [member = ''] = place.split('.')
  const values = choicesOf(fault.schema)
  const sentence = values.length === 0 ? fault.message : `It must be ${joinOr(values)}`
  throw metadataError(member, `${sentence}.`, place)
}
