import type { Client } from '../../oauth/client.js'

/** The fields of a client that a library's settings depend on. */
type AppField = 'id' | 'callbacks' | 'postLogoutRedirectUris' | 'defaultScope' | 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' |
'requirePushedAuthorizationRequests' | 'dpopBoundAccessTokens' | 'idTokenSignedResponseAlg' | 'idTokenClaims' | 'userinfoSignedResponseAlg'

/** What a library's settings depend on: fields of a client, and the server's issuer. */
export interface App extends Pick<Client, AppField> { readonly issuer: string }

/** What decides whether a client can use a library. */
export type Usage = Omit<App, 'id' | 'issuer'>

const EDDSA = ['EdDSA', 'Ed25519']

/** What some clients must do, in words that follow "cannot", and whether a client must. */
export const DUTIES = {
  pkce: ['use PKCE', app => app.pkce === 'required'],
  par: ['push its authorization requests', app => app.requirePushedAuthorizationRequests],
  dpop: ['bind its tokens to a key', app => app.dpopBoundAccessTokens],
  signedUserinfo: ['read signed /userinfo responses', app => app.userinfoSignedResponseAlg !== null],
  eddsa: ['verify EdDSA', app => [app.idTokenSignedResponseAlg, app.userinfoSignedResponseAlg ?? ''].some(alg => EDDSA.includes(alg))]
} satisfies Record<string, [words: string, isRequired: (app: Usage) => boolean]>

/** A client library, or a module of a web server, that is tested with this server. */
export interface Library {
  name: string
  /** Its other names. */
  aliases?: readonly string[]
  /** A client's settings, in the library's language, without the secret. */
  settings: (app: App) => string
  /** `in the browser`: it runs there, which cannot keep a secret or a key. Else what it calls a client's key. */
  keys?: 'in the browser' | (string & {})
  /** Its authentication methods. Default: all. */
  methods?: readonly [string, ...string[]]
  cannot: ReadonlyArray<keyof typeof DUTIES>
  /** Default options of a new client that uses it. */
  usual?: (given: { readonly requireDpop?: boolean }) => { idTokenClaims?: boolean, authMethod?: string, pkce?: Client['pkce'] }
}

/** The first callback, the first address after sign-out, if any, and the scope: the default one, with OpenID Connect's. */
export function addresses ({ callbacks, postLogoutRedirectUris, defaultScope }: App, claims: readonly string[] = ['profile']) {
  const [[callback = ''], [afterSignOut]] = [callbacks, postLogoutRedirectUris]
  const scope = new Set(['openid', ...claims, ...defaultScope.split(' ').filter(Boolean)])
  return { callback, afterSignOut, scope: [...scope].join(' ') }
}

/** The same by their protocol names, as string literals of JavaScript or Python. */
export function parameters (app: App): Array<[name: string, value: string]> {
  const { callback, afterSignOut, scope } = addresses(app)
  return [
    ['redirect_uri', text(callback)],
    ...afterSignOut === undefined ? [] : [['post_logout_redirect_uri', text(afterSignOut)] satisfies [string, string]],
    ['scope', text(scope)]
  ]
}

/** The import for a client's secret in JavaScript, `env.CLIENT_SECRET`. */
export function imports ({ tokenEndpointAuthMethod: method }: App): string {
  return method === 'none' ? '' : "import { env } from 'node:process'\n"
}

/** The address where libraries read the other settings. */
export function metadataUrl ({ issuer }: Pick<App, 'issuer'>): string {
  return `${issuer}/.well-known/openid-configuration`
}

/** A string literal of JavaScript or Python. */
export function text (value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`
}
