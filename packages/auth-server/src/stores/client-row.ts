import type { Columns, Row } from '@frontdesk/database/rows'
import type { Client } from '../oauth/client.js'
import { isLeaving } from '../oauth/implicit.js'
import { ID_TOKEN_ALGS } from '../oauth/id-token-algs.js'
import type { Image } from '../settings/image.js'
import { columnOf } from './column-of.js'

/** The fields of the deprecation of the implicit grant. */
type Leaving = Pick<Client, 'implicitDeprecatedAt' | 'implicitUntil'>

/** Fields that a change may set one by one, too. */
export type GrantTypeFields = Pick<Client, 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' | 'requirePushedAuthorizationRequests' |
'dpopBoundAccessTokens' | 'profile' | 'jwks' | 'jwksUri' | 'idTokenSignedResponseAlg' | 'idTokenClaims' | 'userinfoSignedResponseAlg' | 'sectorIdentifier' |
'allowedScope' | 'links' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired' | 'native'>

/** A client to register. A deprecation of the implicit grant needs `implicitDeprecatedAt`. */
export type NewClient =
  Omit<Client, 'disabledAt' | 'createdAt' | 'withoutPkceAt' | 'pairwiseSalt' | 'logoName' | 'usedAt' | keyof Optional> & Partial<Optional> & WithLogo

/** What a client shows with its name; `null`: nothing. */
export interface WithLogo { readonly logo?: Image | null }

/** When a document was fetched, and until when it counts. */
export type DocumentTimes = Pick<Client, 'documentFetchedAt' | 'documentFreshUntil'>

/** The fields with a default. */
type Optional = Leaving & GrantTypeFields & Pick<Client, 'postLogoutRedirectUris' | 'registeredBy'> & DocumentTimes

const POLICIES = ['allowed', 'warn', 'until', 'off'] as const

const REGISTRARS = ['operator', 'token', 'open', 'document'] as const

const FIELDS = {
  id: 'string',
  name: 'string',
  defaultScope: 'string',
  allowedScope: 'string?',
  accessTokenTtl: 'int?',
  implicit: 'string',
  implicitDeprecatedAt: 'datetime?',
  implicitUntil: 'datetime?',
  grantTypes: 'string',
  tokenEndpointAuthMethod: 'string',
  pkce: 'string',
  requirePushedAuthorizationRequests: 'boolean',
  dpopBoundAccessTokens: 'boolean',
  profile: 'string?',
  withoutPkceAt: 'datetime?',
  jwks: 'string?',
  jwksUri: 'string?',
  idTokenSignedResponseAlg: 'string',
  idTokenClaims: 'boolean',
  userinfoSignedResponseAlg: 'string?',
  sectorIdentifier: 'string?',
  links: 'string?',
  backchannelLogoutUri: 'string?',
  backchannelLogoutSessionRequired: 'boolean',
  native: 'boolean',
  demo: 'boolean',
  registeredBy: 'string',
  documentFetchedAt: 'datetime?',
  documentFreshUntil: 'datetime?',
  usedAt: 'datetime?',
  disabledAt: 'datetime?',
  createdAt: 'datetime'
} as const

/** The columns of a client; callbacks and resources are space-separated. */
export const COLUMNS = {
  ...FIELDS, callbacks: 'string?', resources: 'string?', postLogoutRedirectUris: 'string?', pairwiseSalt: 'string?', logoName: 'string?'
} as const satisfies Columns

/** The same in SQL. URIs have no spaces (RFC 3986 §2). */
export const columns = [
  ...Object.keys(FIELDS).map(columnOf),
  ...['client_callback', 'client_resource', 'client_post_logout_uri'].map(table =>
    `(SELECT string_agg(uri, ' ') FROM ${table} WHERE client_id = client.id)`),
  '(SELECT salt FROM sector WHERE identifier = client.sector_identifier)',
  '(SELECT name FROM client_logo WHERE client_id = client.id)'
].join(', ')

/** What a client has unless it says otherwise: that of a public client without a grant type of the token endpoint. */
const DEFAULTS = {
  implicitDeprecatedAt: null,
  implicitUntil: null,
  allowedScope: null,
  grantTypes: [],
  tokenEndpointAuthMethod: 'none',
  pkce: 'required',
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  profile: null,
  jwks: null,
  jwksUri: null,
  idTokenSignedResponseAlg: 'RS256',
  idTokenClaims: false,
  userinfoSignedResponseAlg: null,
  sectorIdentifier: null,
  links: null,
  backchannelLogoutUri: null,
  backchannelLogoutSessionRequired: false,
  native: false,
  documentFetchedAt: null,
  documentFreshUntil: null,
  registeredBy: 'operator'
} as const satisfies Partial<NewClient>

/** The fields to write of a client. @throws TypeError if a deprecation of the implicit grant has no date */
export function toRow ({ callbacks, resources, postLogoutRedirectUris, logo: _, ...given }: NewClient) {
  const client = { ...DEFAULTS, ...given }
  const { implicit, implicitDeprecatedAt, implicitUntil, grantTypes } = client
  if (isLeaving(client) && implicitDeprecatedAt === null) throw new TypeError('A deprecation of the implicit grant needs its date.')
  return {
    ...client,
    grantTypes: grantTypes.join(' '),
    implicitDeprecatedAt: isLeaving(client) ? implicitDeprecatedAt : null,
    implicitUntil: implicit === 'until' ? implicitUntil : null
  }
}

/** The client of a row. */
export function toClient (row: Row<typeof COLUMNS>): Client {
  return {
    ...row,
    // Fail closed: any other value means off.
    implicit: POLICIES.find(it => it === row.implicit) ?? 'off',
    idTokenSignedResponseAlg: ID_TOKEN_ALGS.find(alg => alg === row.idTokenSignedResponseAlg) ?? 'RS256',
    userinfoSignedResponseAlg: ID_TOKEN_ALGS.find(alg => alg === row.userinfoSignedResponseAlg) ?? null,
    registeredBy: registrarOf(row.registeredBy),
    profile: row.profile === 'fapi2' ? 'fapi2' : null,
    pkce: row.pkce === 'optional' ? 'optional' : 'required',
    grantTypes: words(row.grantTypes),
    callbacks: words(row.callbacks).sort(),
    resources: words(row.resources).sort(),
    postLogoutRedirectUris: words(row.postLogoutRedirectUris).sort()
  }
}

/** Who registered an app. Fails closed: any other value means that no one has checked it. */
export function registrarOf (text: string): Client['registeredBy'] {
  return REGISTRARS.find(it => it === text) ?? 'open'
}

function words (text: string | null): string[] {
  return text?.split(' ').filter(it => it !== '') ?? []
}
