import type { Connection } from '@frontdesk/database/connection'
import { join, queryStep, sql, query, raw, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import type { Client, ClientField } from '../../oauth/client.js'
import { isImplicitDeprecated } from '../../oauth/implicit.js'
import { loopbackHost } from '../../oauth/redirect-uri.js'
import { createAccessEnd } from '../access/end-access.js'
import { createRoleChanges, type WrittenRole } from '../access/roles.js'
import { createTokenRemoval, openClientAccess, type ClientAccess } from './client-access.js'
import { createClientChanges } from './client-changes.js'
import { fitSecrets, type FirstSecret } from './client-secrets.js'
import { readClient, readClients, type NewClient, type WithLogo } from './client-row.js'

/** The desired state of a client, disabled or not. */
export type DesiredClient = NewClient & Pick<Client, 'disabledAt'>

/** Roles to put and to remove, in the order of their names. */
interface DesiredRoles { readonly put: readonly WrittenRole[], readonly removed: readonly string[] }

/** Fields that `change` may set. */
export type ClientChange = Partial<Pick<Client, Exclude<ClientField, 'implicit'> | 'registeredBy' | 'links'>> & WithLogo & {
  readonly policy?: ImplicitChange
  readonly firstSecret?: FirstSecret
}

/** A policy of the implicit grant, and since when it is in force. */
type ImplicitChange = Pick<Client, 'implicit' | 'implicitUntil'> & { readonly at: Date }

/** The registered clients. */
export interface Clients extends ClientAccess {
  /** The client, disabled or not; `null` for an unknown id. A promise only on a cache miss. */
  find (id: string): Client | null | Promise<Client | null>
  /** Whether CORS allows this origin: an enabled client has a callback there. */
  hasOrigin (origin: string): Promise<boolean>
  /** All of them, by id. */
  list (): Promise<Client[]>
  /** Adds a client, with its first secret if there is one. Returns `false`, with nothing changed, if the id is taken. */
  add (client: NewClient, firstSecret?: FirstSecret): Promise<boolean>
  /** Upsert: adds the client, or updates the one with that id. */
  put (client: NewClient): Promise<void>
  /**
   * Changes only the given fields, so that concurrent changes of others are kept. Returns `false` for an unknown id.
   * @param change or what computes it from the client, which stays locked until then: it may be called again, and what it throws
   *   rolls everything back
   */
  change (id: string, change: ClientChange | ((before: Client) => ClientChange)): Promise<boolean>
  /**
   * Sets the policy of the implicit grant. A deprecation keeps its date. Returns `false` for an unknown id.
   * @param until end of the implicit grant, for the policy `until`
   * @param withCode also allows the authorization code grant
   */
  setImplicit (id: string, policy: Pick<Client, 'implicit' | 'implicitUntil'>, now: Date, withCode?: boolean): Promise<boolean>
  /** Atomic: puts some clients and removes others, and the same of roles. Revokes the tokens of those that are disabled or removed. */
  apply (clients: readonly DesiredClient[], removed: readonly string[], roles?: DesiredRoles): Promise<void>
}

/** {@link Clients} in a database. */
export function openClients (connection: Connection): Clients {
  const access = createAccessEnd(connection)
  const changes = createClientChanges(connection, access)
  const removeTokens = createTokenRemoval(connection)
  const roleChanges = createRoleChanges(connection)
  return {
    async find (id) {
      // PostgreSQL's text cannot hold NUL: it would fail.
      if (id.includes('\0')) return null
      return (await readClients(connection, sql`WHERE id = ${id}`))[0] ?? null
    },
    hasOrigin: createOriginSearch(connection),
    list: () => readClients(connection, sql`ORDER BY id`),
    add: (client, firstSecret = null) => connection.transact(function * () {
      const isAdded = yield * changes.add(client)
      if (isAdded && firstSecret !== null) yield * fitSecrets(connection, client.id, firstSecret)
      return isAdded
    }),
    put: client => connection.transact(() => changes.put(client)),
    async apply (clients, removed, roles = { put: [], removed: [] }) {
      // Sorted, as everywhere: two transactions on the same rows in different orders would deadlock.
      const ordered = [...clients].sort((one, other) => one.id < other.id ? -1 : 1)
      const ended = [...ordered.filter(({ disabledAt }) => disabledAt !== null).map(({ id }) => id), ...removed]
      await connection.transact(function * () {
        for (const role of roles.put) if ((yield * roleChanges.change(role.name, role.scopes)) === null) yield * roleChanges.add(role)
        for (const name of roles.removed) yield * roleChanges.remove(name)
        yield * removeTokens(removed)
        for (const client of ordered) yield * changes.put(client)
        if (removed.length > 0) yield * queryStep(connection, {}, sql`DELETE FROM client WHERE id IN (${join(removed.toSorted())})`)
        if (ended.length > 0) yield * access.steps(ended.map(clientId => ({ clientId })))
      })
    },
    change: (id, change) => connection.transact(function * () {
      const wanted = typeof change === 'function' ? yield * decide(connection, id, change) : change
      if (wanted === null) return false
      const { policy, firstSecret, ...fields } = wanted
      if (policy !== undefined) yield * setPolicy(connection, id, policy, false)
      // If it registered itself, it can register for no other grants from then on.
      const registrable = fields.grantTypes && { registrableGrants: fields.grantTypes.join(' ') }
      const isChanged = yield * changes.change(id, { ...fields, ...registrable })
      if (isChanged && firstSecret !== undefined) yield * fitSecrets(connection, id, firstSecret)
      return isChanged
    }),
    setImplicit: (id, policy, at, withCode = false) => connection.transact(() => setPolicy(connection, id, { ...policy, at }, withCode)),
    ...openClientAccess(connection)
  }
}

/** What becomes of a client, computed from it once it is locked; `null` for an unknown id. */
function * decide (connection: Connection, id: string, change: (before: Client) => ClientChange): Steps<ClientChange | null> {
  const locked = yield * queryStep(connection, { id: 'string' }, sql`UPDATE client SET id = id WHERE id = ${id} RETURNING id`)
  if (locked.length === 0) return null
  const client = yield * readClient(connection, id)
  return client === null ? null : change(client)
}

function * setPolicy (
  connection: Connection, id: string, { implicit, implicitUntil, at }: ImplicitChange, withCode: boolean
): Steps<boolean> {
  const leaves = isImplicitDeprecated({ implicit })
  const changed = yield * queryStep(connection, { id: 'string' }, sql`
    UPDATE client SET implicit = ${implicit}, implicit_until = ${implicitUntil}, updated_at = ${at},
      implicit_deprecated_at = CASE WHEN ${leaves} THEN COALESCE(implicit_deprecated_at, ${leaves ? at : null}) END,
      grant_types = CASE WHEN ${withCode} AND ' ' || grant_types || ' ' NOT LIKE '% authorization_code %'
        THEN TRIM(grant_types || ' authorization_code') ELSE grant_types END
    WHERE id = ${id} RETURNING id`)
  return changed.length === 1
}

/** Finds out whether an origin is that of a callback of an enabled client: it reads a few places of an index. */
export function createOriginSearch (connection: Connection): (origin: string) => Promise<boolean> {
  // The order of the index, whatever the collation of the database.
  const uri = raw(connection.dialect === 'postgresql' ? 'uri COLLATE "C"' : 'uri')
  // Its order makes PostgreSQL read the index for any values: it would else hope for an early match, and read the table.
  const firstWhere = (condition: Sql) => sql`SELECT uri FROM (
    SELECT uri FROM client_callback JOIN client ON client.id = client_id WHERE disabled_at IS NULL AND ${condition} ORDER BY ${uri} LIMIT 1
  ) AS first`
  /** SQL of the callbacks that are the address, or begin with it and then one of these characters. */
  const begins = (address: string, ends: readonly string[]) => [
    sql`${uri} = ${address}`,
    ...ends.map(end => sql`${uri} >= ${address + end} AND ${uri} < ${address + after(end)}`)
  ]
  return async origin => {
    // Only these characters occur in an origin.
    if (!/^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin)) return false
    const host = loopbackHost(origin)
    const conditions = [
      ...begins(origin, ['/', '?']),
      ...(host === undefined ? [] : begins(host, ['/', '?', ':']).map(condition => sql`native AND ${condition}`))
    ]
    const found = await query(connection, { uri: 'string' }, join(conditions.map(firstWhere), ' UNION ALL '))
    return found.length > 0
  }
}

/** The next character. */
function after (character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 1)
}
