import type { Columns, Row } from '@frontdesk/database/rows'
import type { Client } from '../oauth/client.js'
import { isLeaving } from '../oauth/implicit.js'

/** The fields of the deprecation of the implicit grant. */
type Leaving = Pick<Client, 'implicitDeprecatedAt' | 'implicitUntil'>

/** Fields with a default: a public client without a grant type of the token endpoint. */
export type GrantTypeFields = Pick<Client, 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' | 'jwks' | 'native'>

/** A client to register. A deprecation of the implicit grant needs `implicitDeprecatedAt`. */
export type NewClient = Omit<Client, 'disabledAt' | 'createdAt' | 'withoutPkceAt' | keyof Leaving | keyof GrantTypeFields> &
  Partial<Leaving & GrantTypeFields>

/** The columns of a client. */
export const COLUMNS = {
  id: 'string',
  name: 'string',
  defaultScope: 'string',
  accessTokenTtl: 'int?',
  implicit: 'string',
  implicitDeprecatedAt: 'datetime?',
  implicitUntil: 'datetime?',
  grantTypes: 'string',
  tokenEndpointAuthMethod: 'string',
  pkce: 'string',
  withoutPkceAt: 'datetime?',
  jwks: 'string?',
  native: 'boolean',
  demo: 'boolean',
  disabledAt: 'datetime?',
  createdAt: 'datetime',
  /** Space-separated, like the resources. */
  callbacks: 'string?',
  resources: 'string?'
} as const satisfies Columns

/** The same in SQL. URIs have no spaces (RFC 3986 §2). */
export const columns = `
  id, name, default_scope, access_token_ttl, implicit, implicit_deprecated_at, implicit_until, grant_types, token_endpoint_auth_method,
  pkce, without_pkce_at, jwks, native, demo, disabled_at, created_at,
  (SELECT string_agg(uri, ' ') FROM client_callback WHERE client_id = client.id),
  (SELECT string_agg(uri, ' ') FROM client_resource WHERE client_id = client.id)`

/** The update that makes an existing row equal to the client. */
export function toChange (client: NewClient) {
  const { callbacks, resources, ...columns } = toRow(client)
  return { ...columns, callbacks: { deleteMany: {}, ...callbacks }, resources: { deleteMany: {}, ...resources } }
}

/** The row of a new client. @throws TypeError if a deprecation of the implicit grant has no date */
export function toRow ({ callbacks, resources, implicit, implicitDeprecatedAt = null, implicitUntil = null, ...rest }: NewClient) {
  const { grantTypes = [], tokenEndpointAuthMethod = 'none', pkce = 'required', jwks = null, native = false, ...columns } = rest
  if (isLeaving({ implicit }) && implicitDeprecatedAt === null) throw new TypeError('A deprecation of the implicit grant needs its date.')
  return {
    ...columns,
    grantTypes: grantTypes.join(' '),
    tokenEndpointAuthMethod,
    pkce,
    jwks,
    native,
    implicit: implicit === 'off' ? 'off' : 'allowed',
    implicitDeprecatedAt: isLeaving({ implicit }) ? implicitDeprecatedAt : null,
    implicitUntil: implicit === 'until' ? implicitUntil : null,
    callbacks: { create: callbacks.map(uri => ({ uri })) },
    resources: { create: resources.map(uri => ({ uri })) }
  }
}

function policyOf ({ implicitDeprecatedAt, implicitUntil }: Row<typeof COLUMNS>): Client['implicit'] {
  if (implicitUntil !== null) return 'until'
  return implicitDeprecatedAt === null ? 'allowed' : 'warn'
}

/** The client of a row. */
export function toClient (row: Row<typeof COLUMNS>): Client {
  return {
    ...row,
    // Fail closed: any other value means off.
    implicit: row.implicit === 'allowed' ? policyOf(row) : 'off',
    pkce: row.pkce === 'optional' ? 'optional' : 'required',
    grantTypes: words(row.grantTypes),
    callbacks: words(row.callbacks).sort(),
    resources: words(row.resources).sort()
  }
}

function words (text: string | null): string[] {
  return text?.split(' ').filter(it => it !== '') ?? []
}
