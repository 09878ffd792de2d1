import type { Client } from '../../oauth/client.js'
import { isLeaving } from '../../oauth/implicit.js'
import { loopbackHost } from '../../oauth/loopback.js'
import type { Clients, NewClient } from '../clients.js'
import { openClientAccess } from './client-access.js'
import type { Database } from './database.js'
import { createAccessEnd } from './end-access.js'
import type { Connection } from '@frontdesk/database/connection'
import { isNew, isThere } from './unique.js'

const include = { callbacks: { orderBy: { uri: 'asc' } }, resources: { orderBy: { uri: 'asc' } } } as const

/** How often a client is put while others put it too. */
const ATTEMPTS = 5

type Row = NonNullable<Awaited<ReturnType<typeof read>>>

/** {@link Clients} in a database. */
export function openClients (database: Database, connection: Connection): Clients {
  const access = createAccessEnd(connection)
  return {
    async find (id) {
      // PostgreSQL has no text with NUL, and says so with an error.
      if (id.includes('\0')) return null
      const row = await read(database, id)
      return row === null ? null : toClient(row)
    },
    async hasOrigin (origin) {
      // Nothing else is an origin, and in nothing else could LIKE find other letters than these.
      if (!/^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin)) return false
      const begin = (address: string, ends: readonly string[]) => [{ uri: address }, ...ends.map(end => ({ uri: { startsWith: address + end } }))]
      const host = loopbackHost(origin)
      const anyPort = host === undefined ? [] : [{ client: { native: true }, OR: begin(host, ['/', '?', ':']) }]
      return await database.clientCallback.findFirst({ where: { client: { disabledAt: null }, OR: [...begin(origin, ['/', '?']), ...anyPort] }, select: { uri: true } }) !== null
    },
    async list () {
      return (await database.client.findMany({ include, orderBy: { id: 'asc' } })).map(toClient)
    },
    add (client) {
      return isNew(database.client.create({ data: toRow(client) }))
    },
    async put (client) {
      // Others may put the same client at once: whoever comes second finds rows that were not there.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await isNew(database.client.create({ data: toRow(client) }))) return
        if (await isNew(database.client.update({ where: { id: client.id }, data: toChange(client) }))) return
      }
      throw new Error(`The client ${client.id} is changed by others all the time. Try again.`)
    },
    async apply (clients, removed) {
      // In one order everywhere: two that change the same rows would wait for each other.
      const ordered = [...clients].sort((one, other) => one.id < other.id ? -1 : 1)
      const ended = [...ordered.filter(({ disabledAt }) => disabledAt !== null).map(({ id }) => id), ...removed]
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await isNew(database.$transaction([
          ...ordered.map(client => database.client.upsert({ where: { id: client.id }, create: toRow(client), update: toChange(client) })),
          // Before the clients, as when one is removed.
          database.authorizationCode.deleteMany({ where: { clientId: { in: [...removed] } } }),
          database.refreshToken.deleteMany({ where: { clientId: { in: [...removed] } } }),
          database.client.deleteMany({ where: { id: { in: [...removed] } } }),
          ...access.statements(ended.map(clientId => ({ clientId }))).map(({ sql, args }) => database.$executeRawUnsafe(sql, ...args))
        ]))) return
      }
      throw new Error('The apps are changed by others all the time. Try again.')
    },
    async change (id, { callbacks, resources, grantTypes, ...columns }) {
      const list = (uris: readonly string[]) => ({ deleteMany: {}, create: uris.map(uri => ({ uri })) })
      return await isThere(database.client.update({
        where: { id },
        data: {
          ...columns,
          ...(grantTypes && { grantTypes: grantTypes.join(' ') }),
          ...(callbacks && { callbacks: list(callbacks) }),
          ...(resources && { resources: list(resources) })
        }
      }))
    },
    async setImplicit (id, policy, until, now, withCode = false) {
      // The release before this one takes whatever is not `allowed` for `off`: the rest is in columns that it does not know.
      const implicit = policy === 'off' ? 'off' : 'allowed'
      const leaves = isLeaving({ implicit: policy })
      const deprecatedAt = leaves ? now : null
      return await database.$executeRaw`
        UPDATE client SET implicit = ${implicit}, implicit_until = ${until}, updated_at = ${now},
          implicit_deprecated_at = CASE WHEN ${leaves} THEN COALESCE(implicit_deprecated_at, ${deprecatedAt}) END,
          grant_types = CASE WHEN ${withCode} AND ' ' || grant_types || ' ' NOT LIKE '% authorization_code %'
            THEN TRIM(grant_types || ' authorization_code') ELSE grant_types END
        WHERE id = ${id}` === 1
    },
    ...openClientAccess(connection)
  }
}

/** What makes a row like the client. */
function toChange (client: NewClient) {
  const { callbacks, resources, ...columns } = toRow(client)
  return { ...columns, callbacks: { deleteMany: {}, ...callbacks }, resources: { deleteMany: {}, ...resources } }
}

function read (database: Database, id: string) {
  return database.client.findUnique({ where: { id }, include })
}

function toRow ({ callbacks, resources, implicit, implicitDeprecatedAt = null, implicitUntil = null, ...rest }: NewClient) {
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

function toClient (row: Row): Client {
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
