import { addresses, metadataUrl, type Library } from './library.js'

/** https://github.com/OpenIDC/mod_auth_openidc, as old as 2.4.12, in Apache. */
export const modAuthOpenidc: Library = {
  name: 'mod_auth_openidc',
  settings: app => {
    const { callback, afterSignOut, scope } = addresses(app)
    const { tokenEndpointAuthMethod: method, idTokenSignedResponseAlg: idToken, userinfoSignedResponseAlg: userinfo } = app
    const rows = [
      ['OIDCProviderMetadataURL', metadataUrl(app)],
      ['OIDCProviderTokenEndpointAuth', method],
      ['OIDCClientID', app.id],
      ...method === 'none' ? [] : [['OIDCClientSecret', '<as printed>'] as const],
      ['OIDCCryptoPassphrase', '<a passphrase>'],
      ['OIDCRedirectURI', callback],
      ['OIDCScope', scope],
      ['OIDCPKCEMethod', 'S256'],
      ['OIDCIDTokenSignedResponseAlg', idToken],
      ...userinfo === null ? [] : [['OIDCUserInfoSignedResponseAlg', userinfo] as const],
      ['OIDCRemoteUserClaim', 'sub']
    ] as const
    const lines = rows.map(([name, value]) => `${name} "${value.replace(/[\\"]/g, '\\$&')}"`)
    if (afterSignOut !== undefined) {
      lines.push(`# To sign out: ${callback}${callback.includes('?') ? '&' : '?'}logout=${encodeURIComponent(afterSignOut)}`)
    }
    return lines.join('\n')
  },
  keys: 'OIDCPrivateKeyFiles',
  cannot: ['par', 'dpop', 'eddsa']
}
