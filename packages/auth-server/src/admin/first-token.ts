import { customerScopes } from '@frontdesk/schemas/customer-scope'
import type { Client } from '../oauth/client.js'
import { DEVICE_CODE } from '../oauth/grant-types.js'
import { namedScopes } from '../oauth/reserved-scopes.js'
import { hasSecret } from '../registration/credentials.js'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import { shellQuote } from './shell-quote.js'

/** Ready-to-run requests for a first access token, as addresses and curl commands. */
export interface FirstToken {
  readonly grant: 'authorization_code' | 'client_credentials' | 'implicit' | typeof DEVICE_CODE
  /** The callback, where the response arrives. */
  readonly callback?: string
  /** The first command: it pushes the authorization request, or requests codes for a device. */
  readonly first?: string
  /** Address to open in a browser. After a pushed request, it has the shell variable `REQUEST_URI`. */
  readonly address?: string
  /** Command that gets the tokens. Secret values are shell variables. */
  readonly tokens?: string
}

interface Server { readonly issuer: string }

/** The requests for a client; `null` if it has no usable grant. */
export function firstToken (client: Client, { issuer }: Server): FirstToken | null {
  const { grantTypes, callbacks: [callback], implicit } = client
  const app = { ...client, issuer }
  if (callback !== undefined && grantTypes.includes('authorization_code')) return codeRequests(app, callback)
  if (grantTypes.includes(DEVICE_CODE)) {
    return {
      grant: DEVICE_CODE,
      first: command('device_authorization', app, accessOf(client)),
      tokens: tokenCommand(app, { grant_type: DEVICE_CODE }, 'device_code=$DEVICE_CODE')
    }
  }
  if (grantTypes.includes('client_credentials')) {
    const [scope] = client.defaultScope === '' ? namedScopes(client.allowedScope) : []
    const fields = { grant_type: 'client_credentials', ...scope !== undefined && { scope }, ...resourceOf(client) }
    return { grant: 'client_credentials', tokens: tokenCommand(app, fields) }
  }
  if (callback === undefined || implicit === 'off') return null
  return { grant: 'implicit', callback, address: authorizeUrl(app, callback, 'token') }
}

/** RFC 6749 §4.1 with RFC 7636 and, if the client requires it, RFC 9126. */
function codeRequests (app: Client & Server, callback: string): FirstToken {
  const verifier = randomOpaqueToken()
  const challenge = { code_challenge: hashOpaqueToken(verifier), code_challenge_method: 'S256' }
  const fields = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: verifier }
  const pushed = { response_type: 'code', redirect_uri: callback, ...accessOf(app), ...challenge }
  const requests = { grant: 'authorization_code', callback, tokens: tokenCommand(app, fields, 'code=$CODE') } as const
  if (!app.requirePushedAuthorizationRequests) return { ...requests, address: authorizeUrl(app, callback, 'code', challenge) }
  const address = `${app.issuer}/authorize?client_id=${encodeURIComponent(app.id)}&request_uri=$REQUEST_URI`
  return { ...requests, first: command('par', app, pushed), address }
}

function authorizeUrl (app: Client & Server, callback: string, type: string, more: Record<string, string> = {}): string {
  const parameters = {
    response_type: type,
    client_id: app.id,
    redirect_uri: callback,
    ...accessOf(app),
    state: randomOpaqueToken().slice(0, 22),
    ...more
  }
  return `${app.issuer}/authorize?${Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

/** A curl command for tokens. A DPoP proof, if required, is a shell variable. */
function tokenCommand (app: Client & Server, fields: Record<string, string>, variable?: string): string {
  const request = command('token', app, fields, variable)
  return app.dpopBoundAccessTokens ? `${request} \\\n    --header "DPoP: $PROOF"` : request
}

/** A curl command. @param variable a field whose value is a shell variable */
function command (endpoint: string, app: Client & Server, fields: Record<string, string>, variable?: string): string {
  const data = (field: string) => `--data-urlencode ${field}`
  return [
    `curl ${shellQuote(`${app.issuer}/${endpoint}`)}`,
    ...credentials(app),
    ...Object.entries(fields).map(([name, value]) => data(shellQuote(`${name}=${value}`))),
    ...variable === undefined ? [] : [data(`"${variable}"`)]
  ].join(' \\\n    ')
}

/** The credentials of the client (RFC 6749 §2.3, RFC 7523 §2.2). */
function credentials ({ id, tokenEndpointAuthMethod: method }: Client): string[] {
  if (method === 'client_secret_basic') return [`--user "${encodeURIComponent(id)}:$SECRET"`]
  const named = `--data-urlencode ${shellQuote(`client_id=${id}`)}`
  if (hasSecret({ tokenEndpointAuthMethod: method })) return [named, '--data-urlencode "client_secret=$SECRET"']
  if (method === 'none') return [named]
  return ['--data client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer', '--data "client_assertion=$ASSERTION"']
}

/** What to request: a scope if the client has no default, and its resource. */
function accessOf (client: Client): { scope?: string, resource?: string } {
  const scope = namedScopes(client.allowedScope)[0] ?? Object.keys(customerScopes)[0]!
  return { ...client.defaultScope === '' && { scope }, ...resourceOf(client) }
}

/** The first resource of the client (RFC 8707 §2). Without one, tokens are for the server's default audience. */
function resourceOf ({ resources: [resource] }: Client): { resource?: string } {
  return resource === undefined ? {} : { resource }
}
