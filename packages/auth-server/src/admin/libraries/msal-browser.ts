import { addresses, text, type Library } from './library.js'

/** https://github.com/AzureAD/microsoft-authentication-library-for-js, in its mode for OpenID Connect. The account is the ID token. */
export const msalBrowser: Library = {
  name: 'msal-browser',
  aliases: ['@azure/msal-browser', 'msal'],
  settings: app => {
    const { callback, afterSignOut, scope } = addresses(app, ['profile', 'email'])
    const lines = [
      `authority: ${text(app.issuer)}`,
      `knownAuthorities: [${text(new URL(app.issuer).host)}]`,
      `clientId: ${text(app.id)}`,
      `redirectUri: ${text(callback)}`,
      ...afterSignOut === undefined ? [] : [`postLogoutRedirectUri: ${text(afterSignOut)}`]
    ]
    return `import { createStandardPublicClientApplication, ProtocolMode } from '@azure/msal-browser'

// It needs an issuer with https.
const client = await createStandardPublicClientApplication({
  auth: {
    ${lines.join(',\n    ')}
  },
  system: { protocolMode: ProtocolMode.OIDC }
})
const scopes = [${scope.split(' ').map(text).join(', ')}]`
  },
  keys: 'in the browser',
  cannot: ['par', 'dpop'],
  usual: () => ({ idTokenClaims: true })
}
