import { oauthProvider } from '@better-auth/oauth-provider'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'
import express from 'express'
import { randomBytes } from 'node:crypto'
import { CALLBACK, PORT, SCOPE, URL } from './registrations.js'

/** better-auth with its plugin for OAuth on Express, in memory, and without the limit of requests that it has in production. */
const models = [
  'user',
  'session',
  'account',
  'verification',
  'jwks',
  'oauthClient',
  'oauthConsent',
  'oauthAccessToken',
  'oauthRefreshToken',
  'oauthResource',
  'oauthClientResource'
]
const auth = betterAuth({
  baseURL: URL,
  secret: randomBytes(32).toString('base64'),
  database: memoryAdapter(Object.fromEntries(models.map(it => [it, []]))),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  plugins: [
    jwt({ jwks: { keyPairConfig: { alg: 'ES256' } } }),
    oauthProvider({ loginPage: '/sign-in', consentPage: '/consent', scopes: ['openid', ...SCOPE.split(' ')] })
  ]
})
// Only a signed-in user can register the client.
const { headers } = await auth.api.signUpEmail({
  body: { name: 'Operator', email: 'operator@shop.example', password: randomBytes(16).toString('hex') },
  returnHeaders: true
})
const client = await auth.api.adminCreateOAuthClient({
  headers: new Headers({ cookie: headers.getSetCookie().map(it => it.split(';', 1)[0]).join('; ') }),
  body: { client_name: 'Shop', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none', scope: SCOPE }
})

const app = express()
app.all('/api/auth/*path', toNodeHandler(auth))
app.get('/client', (request, response) => { response.json(client.client_id) })

app.listen(Number(PORT), '127.0.0.1')
