import type { Client } from '../oauth/client.js'
import { isLeaving } from '../oauth/implicit.js'
import type { Database } from './database.js'

/** The fields of the deprecation of the implicit grant. */
type Leaving = Pick<Client, 'implicitDeprecatedAt' | 'implicitUntil'>

/** Fields with a default: a public client without a grant type of the token endpoint. */
export type GrantTypeFields = Pick<Client, 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' | 'jwks' | 'native'>

/** A client to register. A deprecation of the implicit grant needs `implicitDeprecatedAt`. */
export type NewClient = Omit<Client, 'disabledAt' | 'createdAt' | 'withoutPkceAt' | keyof Leaving | keyof GrantTypeFields> &
  Partial<Leaving & GrantTypeFields>

/** What Prisma reads with a client. */
export const include = { callbacks: { orderBy: { uri: 'asc' } }, resources: { orderBy: { uri: 'asc' } } } as const

/** A client as Prisma returns it. */
type Row = NonNullable<Awaited<ReturnType<typeof readClient>>>

/** The update that makes an existing row equal to the client. */
export function toChange (client: NewClient) {
  const { callbacks, resources, ...columns } = toRow(client)
  return { ...columns, callbacks: { deleteMany: {}, ...callbacks }, resources: { deleteMany: {}, ...resources } }
}

/** Reads one client; `null` if there is none. */
export function readClient (database: Database, id: string) {
  return database.client.findUnique({ where: { id }, include })
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

function policyOf ({ implicitDeprecatedAt, implicitUntil }: Row): Client['implicit'] {
  if (implicitUntil !== null) return 'until'
  return implicitDeprecatedAt === null ? 'allowed' : 'warn'
}

/** The client of a row. */
export function toClient (row: Row): Client {
  return {
    ...row,
    // Fail closed: any other value means off.
    implicit: row.implicit === 'allowed' ? policyOf(row) : 'off',
    pkce: row.pkce === 'optional' ? 'optional' : 'required',
    grantTypes: row.grantTypes.split(' ').filter(it => it !== ''),
    callbacks: row.callbacks.map(({ uri }) => uri),
    resources: row.resources.map(({ uri }) => uri)
  }
}
