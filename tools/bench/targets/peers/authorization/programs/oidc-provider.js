import express from 'express'
import Provider from 'oidc-provider'
import { MapAdapter } from './oidc-adapter.js'
import { AUDIENCE, CALLBACK, CLIENT, PERSON, PORT, privateKey, SCOPE, URL } from './registrations.js'

/** oidc-provider mounted in Express, as its documentation shows interactions. */
const oidc = new Provider(URL, {
  adapter: MapAdapter,
  clients: [
    {
      client_id: CLIENT,
      client_name: 'Shop',
      redirect_uris: [CALLBACK],
      grant_types: ['implicit'],
      response_types: ['id_token token'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256'
    }
  ],
  responseTypes: ['id_token token'],
  scopes: ['openid'],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }] },
  cookies: { keys: ['a secret that signs cookies'] },
  findAccount: (context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: { url: (context, { uid }) => `/interaction/${uid}` },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => AUDIENCE,
      getResourceServerInfo: () => ({
        scope: SCOPE,
        audience: AUDIENCE,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 600,
        jwt: { sign: { alg: 'ES256' } }
      })
    }
  }
})

const app = express()

/** What a form on the page of an interaction does: sign in, or allow. */
app.post('/interaction/:uid', async (request, response) => {
  const { prompt, params, session } = await oidc.interactionDetails(request, response)
  if (prompt.name === 'login') return await oidc.interactionFinished(request, response, { login: { accountId: PERSON } })
  const grant = new oidc.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope('openid')
  for (const [resource, scopes] of Object.entries(prompt.details.missingResourceScopes ?? { [AUDIENCE]: SCOPE.split(' ') })) {
    grant.addResourceScope(resource, scopes.join(' '))
  }
  await oidc.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
})
app.use(oidc.callback())

app.listen(Number(PORT), '127.0.0.1')
