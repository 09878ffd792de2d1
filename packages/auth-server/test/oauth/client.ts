import type { Client } from '../../src/oauth/client.js'

/** A registered client as the store gives it: one callback, everything else as usual. */
export const registered = (changes: Partial<Client> = {}): Client => ({
  id: 'app',
  name: 'An app',
  callbacks: ['https://app.example/cb'],
  postLogoutRedirectUris: [],
  resources: ['https://files.example'],
  defaultScope: 'customer:read',
  allowedScope: null,
  accessTokenTtl: null,
  implicit: 'allowed',
  implicitDeprecatedAt: null,
  implicitUntil: null,
  grantTypes: ['authorization_code'],
  tokenEndpointAuthMethod: 'none',
  pkce: 'required',
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  withoutPkceAt: null,
  jwks: null,
  idTokenSignedResponseAlg: 'RS256',
  userinfoSignedResponseAlg: null,
  sectorIdentifier: null,
  pairwiseSalt: null,
  native: false,
  demo: false,
  disabledAt: null,
  registeredBy: 'operator',
  usedAt: null,
  createdAt: new Date('2030-01-01T00:00:00Z'),
  ...changes
})
