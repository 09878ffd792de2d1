import { readClaims } from './claims-request.js'
import type { Client } from './client.js'
import { readDpopJkt } from './dpop-jkt.js'
import { errors, parameterError } from './errors.js'
import { readInteraction, type Interaction } from './interaction.js'
import { classifyMismatch, matchesCallback } from './redirect-uri.js'
import { single, type Parameters } from './parameters.js'
import { readCodeChallenge } from './pkce.js'
import { isMcpServer, readAudience, scopesOf, type ServerResources } from './resource.js'
import { asksForIdToken } from './openid-scopes.js'
import { needsCallback, readNonce, readScope, type Gives } from './openid-request.js'

/** A client and one of its registered callbacks, where errors can be sent. */
export interface Destination {
  readonly client: Client
  readonly redirectUri: string
  /** Whether the request named the callback. */
  readonly callbackNamed: boolean
  /** Name of a response mode. */
  readonly responseMode: string
  /** `state` as received, once decoded; `undefined` if absent, empty or repeated. */
  readonly state: string | undefined
}

/** A valid authorization request (RFC 6749 §4.1.1, §4.2.1). */
export interface AuthorizationRequest extends Destination {
  /** Name of the response type. */
  readonly responseType: string
  readonly scope: readonly string[]
  /** Resource that the token is for. */
  readonly audience: string
  /** Whether the resource is an MCP server. */
  readonly isAssistant: boolean
  /** RFC 7636 §4.3; `undefined` if the response type has none, empty if the client omits it. */
  readonly codeChallenge: string | undefined
  /** Thumbprint of the key that the code is bound to (RFC 9449 §10); `null`: none. */
  readonly dpopJkt: string | null
  /** The `nonce` of the ID token (OpenID Connect Core §3.1.2.1); `null` without an ID token, or without a `nonce`. */
  readonly idTokenNonce: string | null
  /** An ID token of the user who must sign in; `undefined`: any user, or the request is not an OpenID Connect request. */
  readonly idTokenHint: string | undefined
  /** The `sub` values of the users who can sign in, from `claims`; `undefined`: any user. */
  readonly subjects: readonly string[] | undefined
  readonly interaction: Interaction
}

/** The response types, the values of `prompt` and the resources of the server. */
export interface Offer extends ServerResources {
  readonly prompts: readonly string[]
  readonly responseTypes: ReadonlyArray<{
    name: string
    responseModes: readonly [string, ...string[]]
    needsChallenge: boolean
    grantType: string
    gives: Gives
    allows: (client: Client, now: Date) => boolean
  }>
}

/** Known parameters, which must not be repeated (RFC 6749 §3.1). */
const KNOWN = [
  'response_type', 'scope', 'state', 'response_mode', 'request', 'request_uri', 'prompt', 'max_age', 'login_hint', 'nonce',
  'claims', 'claims_locales', 'ui_locales', 'acr_values', 'id_token_hint', 'code_challenge', 'code_challenge_method', 'dpop_jkt'
]

/** Required parameters (RFC 6749 §4.1.1, §4.2.1). */
const REQUIRED = ['client_id', 'response_type']

/** The `client_id`. @throws OAuthError `incompleteRequest` if it is missing, `unknownClient` if it is repeated */
export function readClientId (parameters: Parameters): string {
  const id = parameters.client_id
  if (id === undefined) {
    const missing = REQUIRED.filter(name => parameters[name] === undefined).join(', ')
    throw errors.incompleteRequest(`missing: ${missing}`, {}, { missing })
  }
  if (typeof id !== 'string') throw errors.unknownClient('client_id is repeated')
  return id
}

/**
 * Chooses the callback for the response (RFC 6749 §3.1.2.3, RFC 9700 §2.1).
 * @throws OAuthError `unknownClient`, `invalidCallback` or `incompleteRequest`, which must not be sent to a callback
 */
export function readDestination (parameters: Parameters, client: Client | null, { responseTypes }: Offer): Destination {
  if (client === null) throw errors.unknownClient('client_id is not registered')
  if (client.disabledAt !== null) throw errors.unknownClient('the client is disabled', { client: client.id })
  const { redirect_uri: requested, state } = parameters
  if (requested === undefined && needsCallback(parameters, client)) throw missingCallback(client, 'a request of OpenID Connect names its callback')
  const { responseModes: modes = ['fragment'] as const } = findResponseType(responseTypes, parameters.response_type) ?? {}
  return {
    client,
    redirectUri: chooseCallback(client, requested),
    callbackNamed: requested !== undefined,
    // Not an error if it is not allowed: errors need a response mode, too.
    responseMode: modes.find(mode => mode === parameters.response_mode) ?? modes[0],
    state: typeof state === 'string' ? state : undefined
  }
}

function chooseCallback (client: Client, requested: string | string[] | undefined): string {
  const facts = { client: client.id, registered: client.callbacks }
  if (Array.isArray(requested)) throw errors.invalidCallback('redirect_uri is repeated', facts)
  if (requested === undefined) {
    const [only, ...others] = client.callbacks
    if (only !== undefined && others.length === 0) return only
    throw missingCallback(client, 'the client has not exactly one callback')
  }
  if (matchesCallback(client, requested)) return requested
  const shown = { requested: requested.slice(0, 2000), difference: classifyMismatch(requested, client.callbacks) ?? 'host' }
  // Not logged with query and fragment, which can contain a token by mistake.
  const kept = { ...shown, requested: shown.requested.replace(/([?#]).*/s, '$1…') }
  throw errors.invalidCallback('redirect_uri is not registered', { ...facts, ...kept }, shown)
}

function missingCallback ({ id, callbacks }: Client, why: string) {
  return errors.incompleteRequest(`redirect_uri is missing: ${why}`, { client: id, registered: callbacks }, { missing: 'redirect_uri' })
}

/**
 * Checks the rest of the request. Its errors go to the callback.
 * @param isPushed whether the client has pushed it (RFC 9126)
 * @throws OAuthError of RFC 6749 §4.1.2.1 and §4.2.2.1, RFC 7636 §4.4.1, OpenID Connect Core §6 or RFC 8707 §2
 */
export function readAuthorizationRequest (
  parameters: Parameters,
  destination: Destination,
  offer: Offer,
  { now, isPushed }: { now: Date, isPushed: boolean }
): AuthorizationRequest {
  const repeated = KNOWN.find(name => Array.isArray(parameters[name]))
  if (repeated !== undefined) throw parameterError(repeated, 'is repeated')
  if (single(parameters, 'request') !== undefined) throw errors.requestNotSupported('request was sent')
  if (single(parameters, 'request_uri') !== undefined) throw errors.requestUriNotSupported('request_uri was sent')
  const { client, redirectUri, callbackNamed, responseMode, state } = destination
  if (client.requirePushedAuthorizationRequests && !isPushed) throw errors.pushedRequestMissing('the request was not pushed')
  const { name, needsChallenge, gives } = readResponseType(parameters, client, offer, now)
  const audience = readAudience(parameters, client, offer)
  const scope = readScope(parameters, client, gives, scopesOf(audience, client, offer))
  const isOpenid = asksForIdToken(scope)
  const claims = isOpenid ? readClaims(parameters, scope, gives, client.allowedScope) : undefined
  // No spread: it takes longer than the rest of the function.
  return {
    client,
    redirectUri,
    callbackNamed,
    responseMode,
    state,
    responseType: name,
    scope: claims === undefined || claims.scope.length === 0 ? scope : [...scope, ...claims.scope],
    audience,
    isAssistant: isMcpServer(audience, offer),
    codeChallenge: needsChallenge ? readCodeChallenge(parameters, client) : undefined,
    dpopJkt: needsChallenge ? readDpopJkt(parameters) : null,
    idTokenNonce: isOpenid ? readNonce(parameters, gives) : null,
    idTokenHint: isOpenid ? single(parameters, 'id_token_hint') : undefined,
    subjects: claims?.subjects,
    interaction: readInteraction(parameters, isOpenid, claims?.acrs, offer.prompts)
  }
}

/** Finds a response type by its words, in any order (OAuth 2.0 Multiple Response Type Encoding Practices §3). */
function findResponseType<T extends { name: string }> (responseTypes: readonly T[], asked: string | string[] | undefined): T | undefined {
  if (typeof asked !== 'string') return undefined
  const name = asked.includes(' ') ? asked.split(' ').sort().join(' ') : asked
  return responseTypes.find(it => it.name === name)
}

/** Whether a request uses the implicit grant. */
export function isImplicit (parameters: Parameters, { responseTypes }: Offer): boolean {
  return findResponseType(responseTypes, parameters.response_type)?.grantType === 'implicit'
}

function readResponseType (parameters: Parameters, client: Client, { responseTypes }: Offer, now: Date): Offer['responseTypes'][number] {
  const name = single(parameters, 'response_type')
  if (name === undefined) throw parameterError('response_type', 'is missing')
  const responseType = findResponseType(responseTypes, name)
  if (responseType === undefined) throw errors.unsupportedResponseType('response_type is not supported')
  if (!responseType.allows(client, now)) throw errors.unauthorizedClient(`the client is not allowed to use response_type=${name}`)
  const mode = single(parameters, 'response_mode')
  if (mode !== undefined && !responseType.responseModes.includes(mode)) {
    throw parameterError('response_mode', 'has an invalid value', 'response_mode does not fit the response type')
  }
  return responseType
}
