import { Option } from 'commander'
import type { Client } from '../../oauth/client.js'
import { issuer } from './next-step.js'

/** The fields of an app that its settings depend on. */
type App = Pick<Client, 'id' | 'callbacks' | 'postLogoutRedirectUris' | 'defaultScope' | 'grantTypes' | 'tokenEndpointAuthMethod' |
'requirePushedAuthorizationRequests' | 'dpopBoundAccessTokens' | 'idTokenSignedResponseAlg' | 'userinfoSignedResponseAlg'>

/** Settings of an app for the libraries that are tested with this server: JavaScript that only lacks the secret. */
const libraries: Record<string, (app: App) => string> = {
  'oidc-client-ts': oidcClientTs,
  'openid-client': openidClient,
  oauth4webapi
}

/** What {@link libraryOption} sets. */
export interface LibraryOptions { readonly for?: string }

/** The option `--for`. */
export function libraryOption (): Option {
  return new Option('--for <library>', 'print the settings of this library for the app, to sign people in')
    .choices(Object.keys(libraries)).conflicts('json')
}

/** The settings of a library for an app. */
export function librarySettings (library: string, app: App): string {
  return libraries[library]!(app)
}

/** Why an app cannot use a library, in a sentence; `null` if it can, or if none is chosen. */
export function whyNotLibrary (
  { for: library }: LibraryOptions,
  { grantTypes, callbacks, tokenEndpointAuthMethod: method, requirePushedAuthorizationRequests: mustPush }: Pick<App,
  'grantTypes' | 'callbacks' | 'tokenEndpointAuthMethod' | 'requirePushedAuthorizationRequests'>
): string | null {
  if (library === undefined) return null
  if (!grantTypes.includes('authorization_code') || callbacks.length === 0) {
    return `${library} needs an app with a callback and the authorization code grant.`
  }
  if (library === 'oidc-client-ts' && method !== 'none') {
    return 'oidc-client-ts runs in the browser, which cannot keep a secret or a key: it needs a public app.'
  }
  if (library === 'oidc-client-ts' && mustPush) return 'oidc-client-ts cannot push its authorization requests, as this app must.'
  return method === 'private_key_jwt' ? `The app signs with a key that only it has: see PrivateKeyJwt of ${library}.` : null
}

/** https://github.com/authts/oidc-client-ts */
function oidcClientTs (app: App): string {
  const lines = [
    `authority: ${text(issuer())}`,
    `client_id: ${text(app.id)}`,
    ...addresses(app).map(([name, value]) => `${name}: ${value}`),
    `loadUserInfo: ${!app.dpopBoundAccessTokens}`,
    `automaticSilentRenew: ${app.grantTypes.includes('refresh_token')}`,
    'revokeTokensOnSignout: true',
    ...app.dpopBoundAccessTokens ? ['dpop: { bind_authorization_code: true, store: new IndexedDbDPoPStore() }'] : []
  ]
  return `import { ${app.dpopBoundAccessTokens ? 'IndexedDbDPoPStore, ' : ''}UserManager } from 'oidc-client-ts'\n\nconst manager = new UserManager({\n  ${lines.join(',\n  ')}\n})`
}

/** https://github.com/panva/openid-client */
function openidClient (app: App): string {
  const lines = [
    `new URL(${text(issuer())})`,
    text(app.id),
    `{ ${algorithms(app)} }`,
    `client.${authentication(app)}`,
    ...isInsecure() ? ['{ execute: [client.allowInsecureRequests] }'] : []
  ]
  return `${imports(app)}import * as client from 'openid-client'

const config = await client.discovery(
  ${lines.join(',\n  ')}
)
${constants(app)}${pushing(app, 'client.buildAuthorizationUrlWithPAR')}${proving(app, 'client.getDPoPHandle')}`
}

/** https://github.com/panva/oauth4webapi */
function oauth4webapi (app: App): string {
  return `${imports(app)}import * as oauth from 'oauth4webapi'

const issuer = new URL(${text(issuer())})
const options = {${isInsecure() ? ' [oauth.allowInsecureRequests]: true ' : ''}}
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
const client = { client_id: ${text(app.id)}, ${algorithms(app)} }
const clientAuth = oauth.${authentication(app)}
${constants(app)}${pushing(app, 'oauth.pushedAuthorizationRequest')}${proving(app, 'oauth.DPoP')}`
}

/** What signs ID tokens and, if anything does, the answers of /userinfo. */
function algorithms ({ idTokenSignedResponseAlg: idToken, userinfoSignedResponseAlg: userinfo }: App): string {
  return `id_token_signed_response_alg: ${text(idToken)}${userinfo === null ? '' : `, userinfo_signed_response_alg: ${text(userinfo)}`}`
}

/** The first callback, the first address after sign-out, if there is one, and the scope: who has signed in, and the default scope. */
function addresses ({ callbacks, postLogoutRedirectUris, defaultScope }: App): Array<[name: string, value: string]> {
  const [[callback = ''], [afterSignOut]] = [callbacks, postLogoutRedirectUris]
  const scope = new Set(['openid', 'profile', ...defaultScope.split(' ').filter(Boolean)])
  return [
    ['redirect_uri', text(callback)],
    ...afterSignOut === undefined ? [] : [['post_logout_redirect_uri', text(afterSignOut)] satisfies [string, string]],
    ['scope', text([...scope].join(' '))]
  ]
}

function constants (app: App): string {
  return addresses(app).map(([name, value]) => `const ${name} = ${value}`).join('\n')
}

/** A comment for an app that must push its requests. */
function pushing ({ requirePushedAuthorizationRequests }: App, call: string): string {
  return requirePushedAuthorizationRequests ? `\n// This app must push its requests (RFC 9126): begin each sign-in with ${call}.` : ''
}

/** A comment for an app whose access tokens must be bound to a key. */
function proving ({ dpopBoundAccessTokens }: App, call: string): string {
  return dpopBoundAccessTokens ? `\n// This app must send DPoP proofs (RFC 9449): pass what ${call} returns with each request.` : ''
}

/** How the app authenticates (RFC 6749 §2.3.1), by the name that both libraries of panva give it. */
function authentication ({ tokenEndpointAuthMethod: method }: App): string {
  if (method === 'none') return 'None()'
  return `${method === 'client_secret_post' ? 'ClientSecretPost' : 'ClientSecretBasic'}(env.CLIENT_SECRET)`
}

/** What {@link authentication} needs. */
function imports ({ tokenEndpointAuthMethod: method }: App): string {
  return method === 'none' ? '' : "import { env } from 'node:process'\n"
}

/** Whether the libraries refuse the issuer unless they are told that it is on this machine. */
function isInsecure (): boolean {
  return issuer().startsWith('http:')
}

/** A JavaScript string. */
function text (value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`
}
