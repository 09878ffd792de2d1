import { addresses, imports, text, type Library } from './library.js'

/** https://github.com/jaredhanson/passport-openidconnect. It reads the name and the email address in the ID token. */
export const passport: Library = {
  name: 'passport',
  aliases: ['passport-openidconnect'],
  settings: app => {
    const { callback, scope } = addresses(app, ['profile', 'email'])
    const lines = [
      `issuer: ${text(app.issuer)}`,
      ...Object.entries({ authorizationURL: 'authorize', tokenURL: 'token', userInfoURL: 'userinfo' })
        .map(([name, path]) => `${name}: ${text(`${app.issuer}/${path}`)}`),
      `clientID: ${text(app.id)}`,
      'clientSecret: env.CLIENT_SECRET',
      `callbackURL: ${text(callback)}`,
      // The library adds openid.
      `scope: ${text(scope.replace(/^openid /, ''))}`,
      'nonce: true'
    ]
    return `${imports(app)}
// For new Strategy() of passport-openidconnect.\nconst options = {\n  ${lines.join(',\n  ')}\n}`
  },
  methods: ['client_secret_post'],
  cannot: ['pkce', 'par', 'dpop'],
  usual: () => ({ authMethod: 'client_secret_post', pkce: 'optional', idTokenClaims: true })
}
