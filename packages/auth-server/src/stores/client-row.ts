import type { Client } from '../oauth/client.js'
import { isLeaving } from '../oauth/implicit.js'
import type { Database } from './database.js'

/** What a client is told of leaving the implicit grant. */
type Leaving = Pick<Client, 'implicitDeprecatedAt' | 'implicitUntil'>

/** What a client need not say: a public client without a grant of the token endpoint. */
export type GrantFields = Pick<Client, 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' | 'jwks' | 'native'>

/** What a client is registered with. Who is to leave the implicit grant is told so from now on unless there is a time. */
export type NewClient = Omit<Client, 'disabledAt' | 'createdAt' | 'withoutPkceAt' | keyof Leaving | keyof GrantFields> & Partial<Leaving & GrantFields>

/** What is read with a client. */
export const include = { callbacks: { orderBy: { uri: 'asc' } }, resources: { orderBy: { uri: 'asc' } } } as const

/** A client as Prisma gives it. */
type Row = NonNullable<Awaited<ReturnType<typeof readClient>>>

/** What makes a row like the client. */
export function toChange (client: NewClient) {
  const { callbacks, resources, ...columns } = toRow(client)
  return { ...columns, callbacks: { deleteMany: {}, ...callbacks }, resources: { deleteMany: {}, ...resources } }
}

/** Reads one client; `null` if there is none. */
export function readClient (database: Database, id: string) {
  return database.client.findUnique({ where: { id }, include })
}

/** The row of a new client. */
export function toRow ({ callbacks, resources, implicit, implicitDeprecatedAt = null, implicitUntil = null, ...rest }: NewClient) {
  const { grantTypes = [], tokenEndpointAuthMethod = 'none', pkce = 'required', jwks = null, native = false, ...columns } = rest
  return {
    ...columns,
    grantTypes: grantTypes.join(' '),
    tokenEndpointAuthMethod,
    pkce,
    jwks,
    native,
    implicit: implicit === 'off' ? 'off' : 'allowed',
    implicitDeprecatedAt: isLeaving({ implicit }) ? implicitDeprecatedAt ?? new Date() : null,
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
    // Whatever is not plainly allowed is off.
    implicit: row.implicit === 'allowed' ? policyOf(row) : 'off',
    pkce: row.pkce === 'optional' ? 'optional' : 'required',
    grantTypes: row.grantTypes.split(' ').filter(it => it !== ''),
    callbacks: row.callbacks.map(({ uri }) => uri),
    resources: row.resources.map(({ uri }) => uri)
  }
}
