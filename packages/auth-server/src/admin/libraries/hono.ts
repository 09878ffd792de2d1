import { shellQuote } from '../shell-quote.js'
import { addresses, type Library } from './library.js'

/** https://github.com/honojs/middleware, @hono/oidc-auth. It reads the email address in the ID token. */
export const hono: Library = {
  name: 'hono',
  aliases: ['@hono/oidc-auth'],
  settings: app => {
    const { callback, scope } = addresses(app, ['profile', 'email'])
    return `# The environment of @hono/oidc-auth.
OIDC_ISSUER=${app.issuer}
OIDC_CLIENT_ID=${shellQuote(app.id)}
OIDC_CLIENT_SECRET=<as printed>
OIDC_REDIRECT_URI=${shellQuote(callback)}
OIDC_SCOPES=${shellQuote(scope)}
OIDC_AUTH_SECRET=<32 random characters or more>`
  },
  methods: ['client_secret_basic'],
  cannot: ['par', 'dpop', 'eddsa'],
  usual: () => ({ authMethod: 'client_secret_basic', idTokenClaims: true })
}
