import { metadataUrl, parameters, text, type Library } from './library.js'

/** https://authlib.org, with Flask. For EdDSA, it computes a different `at_hash` from OpenID Connect Core §3.1.3.6. */
export const authlib: Library = {
  name: 'authlib',
  settings: app => {
    const { scope, ...addresses } = Object.fromEntries(parameters(app))
    const method = app.tokenEndpointAuthMethod
    const lines = [
      "'frontdesk'",
      `client_id=${text(app.id)}`,
      ...method === 'none' ? [] : ["client_secret=os.environ['CLIENT_SECRET']"],
      `server_metadata_url=${text(metadataUrl(app))}`,
      `client_kwargs={
        'scope': ${scope},
        'code_challenge_method': 'S256',
        'token_endpoint_auth_method': ${text(method)},
    }`
    ]
    return `${method === 'none' ? '' : 'import os\n\n'}from authlib.integrations.flask_client import OAuth

# app is the app of Flask.
client = OAuth(app).register(\n    ${lines.join(',\n    ')},\n)
${Object.entries(addresses).map(([name, value]) => `${name} = ${value}`).join('\n')}`
  },
  keys: 'PrivateKeyJWT',
  cannot: ['par', 'dpop', 'signedUserinfo', 'eddsa'],
  // authorize_access_token() gives the claims of the ID token.
  usual: () => ({ idTokenClaims: true })
}
