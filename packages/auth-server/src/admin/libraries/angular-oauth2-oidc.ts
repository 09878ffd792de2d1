import { addresses, text, type Library } from './library.js'

/** https://github.com/manfredsteyer/angular-oauth2-oidc */
export const angularOauth2Oidc: Library = {
  name: 'angular-oauth2-oidc',
  settings: app => {
    const { callback, afterSignOut, scope } = addresses(app)
    const lines = [
      `issuer: ${text(app.issuer)}`,
      `clientId: ${text(app.id)}`,
      `redirectUri: ${text(callback)}`,
      ...afterSignOut === undefined ? [] : [`postLogoutRedirectUri: ${text(afterSignOut)}`],
      "responseType: 'code'",
      `scope: ${text(scope)}`
    ]
    return `import { AuthConfig } from 'angular-oauth2-oidc'

// For configure() of OAuthService.
const config = new AuthConfig({\n  ${lines.join(',\n  ')}\n})`
  },
  keys: 'in the browser',
  cannot: ['par', 'dpop', 'signedUserinfo']
}
