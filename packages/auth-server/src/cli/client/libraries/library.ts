import type { Client } from '../../../oauth/client.js'
import { issuer } from '../next-step.js'

/** The fields of a client that its settings depend on. */
export type App = Pick<Client, 'id' | 'callbacks' | 'postLogoutRedirectUris' | 'defaultScope' | 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' |
'requirePushedAuthorizationRequests' | 'dpopBoundAccessTokens' | 'idTokenSignedResponseAlg' | 'idTokenClaims' | 'userinfoSignedResponseAlg'>

/** What a client may have to do, in words that follow "cannot", and which clients have to. */
export const DUTIES = {
  pkce: ['use PKCE', app => app.pkce === 'required'],
  par: ['push its authorization requests', app => app.requirePushedAuthorizationRequests],
  dpop: ['bind its tokens to a key', app => app.dpopBoundAccessTokens],
  signedUserinfo: ['read signed /userinfo responses', app => app.userinfoSignedResponseAlg !== null],
  eddsa: ['verify EdDSA', app => [app.idTokenSignedResponseAlg, app.userinfoSignedResponseAlg].some(alg => alg === 'EdDSA' || alg === 'Ed25519')]
} satisfies Record<string, [words: string, isRequired: (app: Omit<App, 'id'>) => boolean]>

/** A client library, or a module of a web server, that is tested with this server. */
export interface Library {
  name: string
  /** Other names that it is known by. */
  aliases?: readonly string[]
  /** Settings of a client, in the language of the library, that only lack the secret. */
  settings: (app: App) => string
  /** It runs in the browser, which cannot keep a secret or a key; if it does not, what it calls the key of a client. */
  keys?: 'in the browser' | (string & {})
  /** How it can authenticate; left out: in any way. */
  methods?: readonly [string, ...string[]]
  cannot: ReadonlyArray<keyof typeof DUTIES>
  /** Options of a new client that uses it, unless they are given. */
  usual?: (given: { readonly requireDpop?: boolean }) => { idTokenClaims?: boolean, authMethod?: string, pkce?: Client['pkce'] }
}

/** The first callback, the first address after sign-out, if there is one, and the scope: who has signed in, and the default scope. */
export function addresses ({ callbacks, postLogoutRedirectUris, defaultScope }: App, claims: readonly string[] = ['profile']) {
  const [[callback = ''], [afterSignOut]] = [callbacks, postLogoutRedirectUris]
  const scope = new Set(['openid', ...claims, ...defaultScope.split(' ').filter(Boolean)])
  return { callback, afterSignOut, scope: [...scope].join(' ') }
}

/** The same with the names of the protocol, as strings of JavaScript or Python. */
export function parameters (app: App): Array<[name: string, value: string]> {
  const { callback, afterSignOut, scope } = addresses(app)
  return [
    ['redirect_uri', text(callback)],
    ...afterSignOut === undefined ? [] : [['post_logout_redirect_uri', text(afterSignOut)] satisfies [string, string]],
    ['scope', text(scope)]
  ]
}

/** What the secret of a client in JavaScript, `env.CLIENT_SECRET`, needs. */
export function imports ({ tokenEndpointAuthMethod: method }: App): string {
  return method === 'none' ? '' : "import { env } from 'node:process'\n"
}

/** Where the libraries read the rest. */
export function metadataUrl (): string {
  return `${issuer()}/.well-known/openid-configuration`
}

/** A string of JavaScript or Python. */
export function text (value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`
}
