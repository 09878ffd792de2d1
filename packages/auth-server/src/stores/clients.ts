import { retryConflicts } from '@frontdesk/database/conflict'
import type { Connection } from '@frontdesk/database/connection'
import type { Client } from '../oauth/client.js'
import { isLeaving } from '../oauth/implicit.js'
import { loopbackHost } from '../oauth/loopback.js'
import { openClientAccess, removeHeld, type ClientAccess } from './client-access.js'
import { include, readClient, toChange, toClient, toRow, type GrantTypeFields, type NewClient } from './client-row.js'
import type { Database } from './database.js'
import { createAccessEnd } from './end-access.js'
import { isNew, isThere } from './unique.js'

/** The desired state of a client, disabled or not. */
export type DesiredClient = NewClient & Pick<Client, 'disabledAt'>

/** Fields that `change` may set. For the implicit grant, see `setImplicit`. */
export type ClientChange = Partial<
  Pick<Client, 'name' | 'callbacks' | 'resources' | 'defaultScope' | 'accessTokenTtl' | 'native' | keyof GrantTypeFields>
>

/** The registered clients. */
export interface Clients extends ClientAccess {
  /** The client, disabled or not; `null` for an unknown id. A promise only on a cache miss. */
  find (id: string): Client | null | Promise<Client | null>
  /** Whether CORS allows this origin: an enabled client has a callback there. */
  hasOrigin (origin: string): Promise<boolean>
  /** All of them, by id. */
  list (): Promise<Client[]>
  /** Adds a client. Returns `false`, with nothing changed, if the id is taken. */
  add (client: NewClient): Promise<boolean>
  /** Upsert: adds the client, or updates the one with that id. */
  put (client: NewClient): Promise<void>
  /** Changes only the given fields, so that concurrent changes of others are kept. Returns `false` for an unknown id. */
  change (id: string, change: ClientChange): Promise<boolean>
  /**
   * Sets the policy of the implicit grant. A deprecation keeps its date. Returns `false` for an unknown id.
   * @param until end of the implicit grant, for the policy `until`
   * @param withCode also allows the authorization code grant
   */
  setImplicit (id: string, policy: Client['implicit'], until: Date | null, now: Date, withCode?: boolean): Promise<boolean>
  /** Atomic: puts some clients and removes others. Revokes the tokens of those that are disabled or removed. */
  apply (clients: readonly DesiredClient[], removed: readonly string[]): Promise<void>
}

/** Most attempts of an upsert that conflicts with others. */
const ATTEMPTS = 5

/** For how long `apply` is retried while it conflicts with other transactions, in milliseconds. */
const RETRY_MS = 5_000

/** {@link Clients} in a database. */
export function openClients (database: Database, connection: Connection): Clients {
  const access = createAccessEnd(connection)
  const held = removeHeld(connection)
  return {
    async find (id) {
      // PostgreSQL's text cannot hold NUL: it would fail.
      if (id.includes('\0')) return null
      const row = await readClient(database, id)
      return row === null ? null : toClient(row)
    },
    async hasOrigin (origin) {
      // Only these characters occur in an origin, and LIKE compares them exactly.
      if (!/^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin)) return false
      const begin = (address: string, ends: readonly string[]) =>
        [{ uri: address }, ...ends.map(end => ({ uri: { startsWith: address + end } }))]
      const host = loopbackHost(origin)
      const anyPort = host === undefined ? [] : [{ client: { native: true }, OR: begin(host, ['/', '?', ':']) }]
      return await database.clientCallback.findFirst({
        where: { client: { disabledAt: null }, OR: [...begin(origin, ['/', '?']), ...anyPort] }, select: { uri: true }
      }) !== null
    },
    async list () {
      return (await database.client.findMany({ include, orderBy: { id: 'asc' } })).map(toClient)
    },
    add (client) {
      return isNew(database.client.create({ data: toRow(client) }))
    },
    async put (client) {
      // A concurrent put of the same client may add rows between the two statements: retry.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await isNew(database.client.create({ data: toRow(client) }))) return
        if (await isNew(database.client.update({ where: { id: client.id }, data: toChange(client) }))) return
      }
      throw new Error(`The client ${client.id} is changed by others all the time. Try again.`)
    },
    async apply (clients, removed) {
      // Sorted, as everywhere: two statements on the same rows in different orders would deadlock.
      const ordered = [...clients].sort((one, other) => one.id < other.id ? -1 : 1)
      const ended = [...ordered.filter(({ disabledAt }) => disabledAt !== null).map(({ id }) => id), ...removed]
      const rows = removed.length === 0 ? [] : held.map(it => it.query(removed.toSorted().map(id => [id])))
      const execute = ({ sql, args }: { sql: string, args: readonly unknown[] }) => database.$executeRawUnsafe(sql, ...args)
      const transact = () => database.$transaction([
        ...rows.map(execute),
        ...ordered.map(client => database.client.upsert({ where: { id: client.id }, create: toRow(client), update: toChange(client) })),
        database.client.deleteMany({ where: { id: { in: [...removed] } } }),
        ...access.statements(ended.map(clientId => ({ clientId }))).map(execute)
      ])
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await isNew(retryConflicts(transact, RETRY_MS))) return
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
      // The previous release reads every value but `allowed` as `off`. The details are in columns that it does not know.
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
