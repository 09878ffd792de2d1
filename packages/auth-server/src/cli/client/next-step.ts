import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { findIssuer } from '../../config.js'
import { CODE_TTL } from '../../lifetimes.js'
import type { Client } from '../../oauth/client.js'
import { DEVICE_CODE } from '../../oauth/grant-types.js'
import { hashOpaqueToken, randomOpaqueToken } from '../../sign-in/opaque-token.js'
import { hasSecret } from '../../registration/credentials.js'

/** The fields that decide how a client authenticates. */
type Credentials = Pick<Client, 'id' | 'tokenEndpointAuthMethod'>

/** Shows ready-to-run requests for a first access token. Empty if the client has no usable grant. */
export function nextStep (client: Client): string {
  const { grantTypes, callbacks: [callback], implicit } = client
  if (callback !== undefined && grantTypes.includes('authorization_code')) return codeStep(client, callback)
  if (grantTypes.includes(DEVICE_CODE)) return deviceStep(client)
  if (grantTypes.includes('client_credentials')) return credentialsStep(client)
  return callback !== undefined && implicit !== 'off' ? implicitStep(client, callback) : ''
}

/** RFC 6749 §4.1 with RFC 7636. */
function codeStep (client: Client, callback: string): string {
  const verifier = randomOpaqueToken()
  const challenge = { code_challenge: hashOpaqueToken(verifier), code_challenge_method: 'S256' }
  const fields = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: verifier }
  const parameters = { response_type: 'code', redirect_uri: callback, ...scopeOf(client), ...challenge }
  const address = client.requirePushedAuthorizationRequests
    ? `${command('par', client, parameters)}
  echo "${issuer()}/authorize?client_id=${client.id}&request_uri=$REQUEST_URI"`
    : authorizeUrl(client, callback, 'code', challenge)
  const next = client.requirePushedAuthorizationRequests
    ? 'push a request, put the request_uri of the response into this address,\nopen it'
    : 'open this address'
  return `
Next: ${next}, sign in and allow access. The code arrives at
${callback}

  ${address}

Exchange the code within ${CODE_TTL} seconds. This code_verifier belongs to the address
above; a client makes a new pair for each sign-in.

  ${tokenCommand(client, fields, 'code=$CODE')}
`.trimEnd()
}

/** RFC 8628. */
function deviceStep (client: Client): string {
  return `
Next: request codes, open the verification_uri_complete of the response,
sign in and allow access:

  ${command('device_authorization', client, { ...scopeOf(client) })}

Get the tokens with the device_code of the response:

  ${tokenCommand(client, { grant_type: DEVICE_CODE }, 'device_code=$DEVICE_CODE')}
`.trimEnd()
}

/** RFC 6749 §4.4: this grant issues the default scope of the client only. */
function credentialsStep (client: Client): string {
  const { scope } = scopeOf(client)
  const request = tokenCommand(client, { grant_type: 'client_credentials' })
  if (scope === undefined) return `\nNext: get an access token:\n\n  ${request}`
  return `\nNext: give it a scope, and get an access token:\n\n  frontdesk-auth client update ${client.id} --default-scope ${scope}\n  ${request}`
}

/** RFC 6749 §4.2. */
function implicitStep (client: Client, callback: string): string {
  return `
Next: open this address, sign in and allow access. The access token arrives in
the fragment of ${callback}

  ${authorizeUrl(client, callback, 'token', {})}

New clients use the code grant instead (RFC 9700 §2.1.2):
--grant authorization_code
`.trimEnd()
}

function authorizeUrl (client: Client, callback: string, type: string, more: Record<string, string>): string {
  const parameters = {
    response_type: type,
    client_id: client.id,
    redirect_uri: callback,
    ...scopeOf(client),
    state: randomOpaqueToken().slice(0, 22),
    ...more
  }
  return `${issuer()}/authorize?${Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

/** A curl command for tokens; the proof of a client that needs one is a shell variable. */
function tokenCommand (client: Client, fields: Record<string, string>, variable?: string): string {
  const request = command('token', client, fields, variable)
  return client.dpopBoundAccessTokens ? `${request} \\\n    --header "DPoP: $PROOF"` : request
}

/** A curl command. @param variable a field whose value is a shell variable */
function command (
  endpoint: string,
  { id, tokenEndpointAuthMethod }: Credentials,
  fields: Record<string, string>,
  variable?: string
): string {
  const data = (field: string) => `--data-urlencode ${field}`
  return [
    `curl ${shellQuote(`${issuer()}/${endpoint}`)}`,
    ...credentials({ id, tokenEndpointAuthMethod }),
    ...Object.entries(fields).map(([name, value]) => data(shellQuote(`${name}=${value}`))),
    ...variable === undefined ? [] : [data(`"${variable}"`)]
  ].join(' \\\n    ')
}

/** The credentials of the client (RFC 6749 §2.3, RFC 7523 §2.2); secret values are shell variables. */
function credentials ({ id, tokenEndpointAuthMethod: method }: Credentials): string[] {
  if (method === 'client_secret_basic') return [`--user "${id}:$SECRET"`]
  if (hasSecret({ tokenEndpointAuthMethod: method })) return [`--data client_id=${id}`, '--data-urlencode "client_secret=$SECRET"']
  if (method === 'none') return [`--data client_id=${id}`]
  return ['--data client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer', '--data "client_assertion=$ASSERTION"']
}

/** A scope to request if the client has no default. */
function scopeOf ({ defaultScope }: Client): { scope?: string } {
  return defaultScope === '' ? { scope: Object.keys(customerScopes)[0]! } : {}
}

/** The address of the server, from the environment. */
export function issuer (): string {
  return findIssuer() ?? 'https://ISSUER'
}

function shellQuote (text: string): string {
  return /^[\w:/.=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
