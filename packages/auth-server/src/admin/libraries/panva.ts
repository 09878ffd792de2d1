import { imports, parameters, text, type App, type Library } from './library.js'

/** https://github.com/panva/openid-client */
export const openidClient: Library = {
  name: 'openid-client',
  settings: app => {
    const lines = [
      `new URL(${text(app.issuer)})`,
      text(app.id),
      `{ ${algorithms(app)} }`,
      `client.${authentication(app)}`,
      ...isInsecure(app) ? ['{ execute: [client.allowInsecureRequests] }'] : []
    ]
    return `${imports(app)}import * as client from 'openid-client'

const config = await client.discovery(
  ${lines.join(',\n  ')}
)
${constants(app)}${pushing(app, 'client.buildAuthorizationUrlWithPAR')}${proving(app, 'client.getDPoPHandle')}`
  },
  keys: 'PrivateKeyJwt',
  cannot: []
}

/** https://github.com/panva/oauth4webapi */
export const oauth4webapi: Library = {
  name: 'oauth4webapi',
  settings: app => `${imports(app)}import * as oauth from 'oauth4webapi'

const issuer = new URL(${text(app.issuer)})
const options = {${isInsecure(app) ? ' [oauth.allowInsecureRequests]: true ' : ''}}
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
const client = { client_id: ${text(app.id)}, ${algorithms(app)} }
const clientAuth = oauth.${authentication(app)}
${constants(app)}${pushing(app, 'oauth.pushedAuthorizationRequest')}${proving(app, 'oauth.DPoP')}`,
  keys: 'PrivateKeyJwt',
  cannot: []
}

/** The algorithms of ID tokens and, if they are signed, of `/userinfo` responses. */
function algorithms ({ idTokenSignedResponseAlg: idToken, userinfoSignedResponseAlg: userinfo }: App): string {
  return `id_token_signed_response_alg: ${text(idToken)}${userinfo === null ? '' : `, userinfo_signed_response_alg: ${text(userinfo)}`}`
}

function constants (app: App): string {
  return parameters(app).map(([name, value]) => `const ${name} = ${value}`).join('\n')
}

/** A comment for a client that must push its requests. */
function pushing ({ requirePushedAuthorizationRequests }: App, call: string): string {
  return requirePushedAuthorizationRequests ? `\n// This client must push its requests (RFC 9126): begin each sign-in with ${call}.` : ''
}

/** A comment for a client whose access tokens must be bound to a key. */
function proving ({ dpopBoundAccessTokens }: App, call: string): string {
  return dpopBoundAccessTokens ? `\n// This client must send DPoP proofs (RFC 9449): pass what ${call} returns with each request.` : ''
}

/** How the client authenticates (RFC 6749 §2.3.1), by the name that both libraries give it. */
function authentication ({ tokenEndpointAuthMethod: method }: App): string {
  if (method === 'none') return 'None()'
  return `${method === 'client_secret_post' ? 'ClientSecretPost' : 'ClientSecretBasic'}(env.CLIENT_SECRET)`
}

/** Whether the libraries refuse the issuer unless an option allows http. */
function isInsecure ({ issuer }: App): boolean {
  return issuer.startsWith('http:')
}
