import type { Connection } from '@frontdesk/database/connection'
import { join, query, sql, type Sql } from '@frontdesk/database/sql'
import { setImmediate } from 'node:timers/promises'
import type { Client } from '../../oauth/client.js'
import { CONSOLE_ID } from '../../oauth/console-client.js'
import { cursorOf, inTimeOrder, type TimeOrder } from '../access/time-order.js'
import { foldUsername as fold } from '../users/user-columns.js'
import { findClients } from './client-row.js'

/** Which clients to list. */
export interface ClientQuery {
  /** A part of the client_id or the name, case-insensitive. */
  readonly search?: string | undefined
  readonly isDisabled?: boolean | undefined
  readonly isSelfRegistered?: boolean | undefined
  /** Whether the implicit grant is on for the client, or it has ever used it. */
  readonly isImplicit?: boolean | undefined
  /** Sorts by when clients were added. Default: by client_id. */
  readonly order?: TimeOrder | undefined
  /** Only clients after this client_id, or after this `cursorOf`. */
  readonly after?: string | undefined
  readonly limit: number
}

interface ClientPage { readonly clients: readonly Client[], readonly hasMore: boolean }

export interface ClientList {
  /** All clients but the console, by id; so are the other lists. */
  list (): Promise<Client[]>
  /** A page of clients, by id. */
  page (query: ClientQuery): Promise<ClientPage>
  /** The ids of enabled demo clients. */
  demo (): Promise<string[]>
  /** The first client_ids in order. */
  ids (limit: number): Promise<string[]>
}

/** Demo clients to name: there are three. */
const MAX_DEMO = 100

/** Clients per statement; those that match the search are kept. */
const BATCH_SIZE = 1_000

/** The console is a part of this server, and no client of operators. */
const isListed = sql`id <> ${CONSOLE_ID}`

/** SQL of all clients but the console, by id, after `FROM client`. */
export const LISTED = sql`WHERE ${isListed} ORDER BY id`

/** Opens the list. Searches in JavaScript: SQLite folds the case of ASCII letters only. */
export function openClientList (connection: Connection): ClientList {
  const findNames = (condition: Sql, limit: number, orderBy = sql`id`) => query(connection, {
    id: 'string', name: 'string', createdAt: 'datetime'
  }, sql`SELECT id, name, created_at FROM client WHERE ${condition} ORDER BY ${orderBy} LIMIT ${limit}`)

  return {
    list: () => findClients(connection, LISTED),
    demo: async () => (await findNames(sql`demo AND disabled_at IS NULL`, MAX_DEMO)).map(({ id }) => id),
    ids: async limit => (await findNames(isListed, limit)).map(({ id }) => id),
    async page ({ search = '', isDisabled, isSelfRegistered, isImplicit = false, order, after, limit }) {
      const isSought = join([
        isListed,
        isDisabled === undefined ? sql`true` : isDisabled ? sql`disabled_at IS NOT NULL` : sql`disabled_at IS NULL`,
        isSelfRegistered === undefined ? sql`true` : isSelfRegistered ? sql`registered_by <> 'operator'` : sql`registered_by = 'operator'`,
        isImplicit ? sql`(implicit <> 'off' OR EXISTS (SELECT 1 FROM implicit_use WHERE client_id = client.id))` : sql`true`
      ], ' AND ')
      const sought = fold(search)
      const size = sought === '' ? Math.min(limit + 1, BATCH_SIZE) : BATCH_SIZE
      const found: string[] = []
      for (let last = after; found.length <= limit;) {
        const { where, orderBy } = order === undefined ? { where: sql`id > ${last ?? ''}`, orderBy: sql`id` } : inTimeOrder(order, last)
        const batch = await findNames(sql`${where} AND ${isSought}`, size, orderBy)
        found.push(...batch.filter(({ id, name }) => fold(id).includes(sought) || fold(name).includes(sought)).map(({ id }) => id))
        if (batch.length < size) break
        last = order === undefined ? batch.at(-1)!.id : cursorOf(batch.at(-1)!)
        // Other requests do not wait for the whole search.
        await setImmediate()
      }
      const ids = found.slice(0, limit)
      const clients = ids.length === 0 ? [] : await findClients(connection, sql`WHERE id IN (${join(ids)}) ORDER BY id`)
      if (order !== undefined) clients.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
      return { clients, hasMore: found.length > limit }
    }
  }
}
