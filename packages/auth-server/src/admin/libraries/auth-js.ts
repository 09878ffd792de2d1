import { addresses, imports, text, type App, type Library } from './library.js'

/** https://authjs.dev, with a provider of the type oidc. It reads the name and the email address in the ID token. */
export const authJs: Library = {
  name: 'authjs',
  aliases: ['auth.js', 'next-auth', '@auth/core'],
  settings: app => {
    const { callback, scope } = addresses(app, ['profile', 'email'])
    const lines = [
      // The path of a callback of Auth.js ends with the id of its provider.
      `id: ${text(/\/callback\/([\w.-]+)$/.exec(callback)?.[1] ?? 'frontdesk')}`,
      "name: 'Frontdesk'",
      "type: 'oidc'",
      `issuer: ${text(app.issuer)}`,
      `clientId: ${text(app.id)}`,
      ...app.tokenEndpointAuthMethod === 'none' ? [] : ['clientSecret: env.CLIENT_SECRET'],
      ...clientOf(app),
      "checks: ['pkce', 'state', 'nonce']",
      `authorization: { params: { scope: ${text(scope)} } }`
    ]
    return `${imports(app)}
// For providers of Auth.js.\nconst provider = {\n  ${lines.join(',\n  ')}\n}`
  },
  methods: ['none', 'client_secret_basic', 'client_secret_post'],
  cannot: ['par', 'dpop'],
  usual: () => ({ idTokenClaims: true })
}

/** Settings that differ from the library's defaults. */
function clientOf ({ tokenEndpointAuthMethod: method, idTokenSignedResponseAlg: alg }: App): string[] {
  const members = [
    ...method === 'client_secret_basic' ? [] : [`token_endpoint_auth_method: ${text(method)}`],
    ...alg === 'RS256' ? [] : [`id_token_signed_response_alg: ${text(alg)}`]
  ]
  return members.length === 0 ? [] : [`client: { ${members.join(', ')} }`]
}
