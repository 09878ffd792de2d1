import type { Connection } from '@frontdesk/database/connection'
import type { Client } from '../oauth/client.js'
import { isLeaving } from '../oauth/implicit.js'
import { loopbackHost } from '../oauth/loopback.js'
import { openClientAccess, type ClientAccess } from './client-access.js'
import { include, readClient, toChange, toClient, toRow, type GrantFields, type NewClient } from './client-row.js'
import type { Database } from './database.js'
import { createAccessEnd } from './end-access.js'
import { isNew, isThere } from './unique.js'

/** A client as it is to be, disabled or not. */
export type DesiredClient = NewClient & Pick<Client, 'disabledAt'>

/** What may be changed of a client without a word of the rest; of the implicit grant, see `setImplicit`. */
export type ClientChange = Partial<Pick<Client, 'name' | 'callbacks' | 'resources' | 'defaultScope' | 'accessTokenTtl' | 'native' | keyof GrantFields>>

/** The registered clients. */
export interface Clients extends ClientAccess {
  /** The client, disabled or not; `null` if there is none. A promise only if the database has to be asked. */
  find (id: string): Client | null | Promise<Client | null>
  /** Whether an app in a browser may call from this origin: that of a callback of a client that is not disabled. */
  hasOrigin (origin: string): Promise<boolean>
  /** All of them, by id. */
  list (): Promise<Client[]>
  /** Adds a client; `false` if the id is taken, and then nothing is changed. */
  add (client: NewClient): Promise<boolean>
  /** Adds the client or makes the one of that id like it. */
  put (client: NewClient): Promise<void>
  /** Changes what is named of it, and nothing else, so that changes of others are not lost; `false` if there is none. */
  change (id: string, change: ClientChange): Promise<boolean>
  /**
   * Sets whether it may use the implicit grant; `false` if there is none. Who was told to leave is told so since then.
   * @param until with `until`, when it ends
   * @param withCode gives it the authorization code grant too
   */
  setImplicit (id: string, policy: Client['implicit'], until: Date | null, now: Date, withCode?: boolean): Promise<boolean>
  /** Puts clients and removes others, all in one transaction. What those hold that are disabled or removed ends. */
  apply (clients: readonly DesiredClient[], removed: readonly string[]): Promise<void>
}

/** How often a client is put while others put it too. */
const ATTEMPTS = 5

/** {@link Clients} in a database. */
export function openClients (database: Database, connection: Connection): Clients {
  const access = createAccessEnd(connection)
  return {
    async find (id) {
      // PostgreSQL has no text with NUL, and says so with an error.
      if (id.includes('\0')) return null
      const row = await readClient(database, id)
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
