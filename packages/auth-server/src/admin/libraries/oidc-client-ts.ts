import { parameters, text, type App, type Library } from './library.js'

/** https://github.com/authts/oidc-client-ts */
export const oidcClientTs: Library = {
  name: 'oidc-client-ts',
  settings: app => `import { ${app.dpopBoundAccessTokens ? `${STORE}, ` : ''}UserManager } from 'oidc-client-ts'

const manager = new UserManager(${userManagerSettings(app)})`,
  keys: 'in the browser',
  cannot: ['par'],
  usual
}

/** https://github.com/authts/react-oidc-context, which has the settings of oidc-client-ts. */
export const reactOidcContext: Library = {
  name: 'react-oidc-context',
  settings: app => `${app.dpopBoundAccessTokens ? `import { ${STORE} } from 'oidc-client-ts'\n` : ''}import { AuthProvider } from 'react-oidc-context'

// <AuthProvider {...settings}>
const settings = ${userManagerSettings(app)}`,
  keys: 'in the browser',
  cannot: ['par'],
  usual
}

/** With DPoP it cannot read /userinfo. */
function usual ({ requireDpop = false }: Parameters<NonNullable<Library['usual']>>[0]) {
  return requireDpop ? { idTokenClaims: true } : {}
}

const STORE = 'IndexedDbDPoPStore'

function userManagerSettings (app: App): string {
  const lines = [
    `authority: ${text(app.issuer)}`,
    `client_id: ${text(app.id)}`,
    ...parameters(app).map(([name, value]) => `${name}: ${value}`),
    `loadUserInfo: ${!app.dpopBoundAccessTokens}`,
    `automaticSilentRenew: ${app.grantTypes.includes('refresh_token')}`,
    'revokeTokensOnSignout: true',
    ...app.dpopBoundAccessTokens ? [`dpop: { bind_authorization_code: true, store: new ${STORE}() }`] : []
  ]
  return `{\n  ${lines.join(',\n  ')}\n}`
}
