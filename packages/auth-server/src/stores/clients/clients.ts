import type { Connection } from '@frontdesk/database/connection'
import { executeStep, exists, join, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import type { Client, ClientField } from '../../oauth/client.js'
import { isImplicitDeprecated } from '../../oauth/implicit.js'
import { loopbackHost } from '../../oauth/redirect-uri.js'
import type { Image } from '@frontdesk/service-kit/image'
import { createAccessEnd } from '../access/end-access.js'
import { createRoleChanges, listRolesStep, type Role } from '../access/roles.js'
import { createTokenRemoval, openClientAccess, type ClientAccess } from './client-access.js'
import { createClientChanges } from './client-changes.js'
import { LISTED, openClientList, type ClientList } from './client-list.js'
import { listLogosStep } from './client-logos.js'
import { fitSecrets, type FirstSecret } from './client-secrets.js'
import { findClientStep, findClients, findClientsStep, type NewClient, type WithLogo } from './client-row.js'

/** The desired state of a client, disabled or not. */
export type DesiredClient = NewClient & Pick<Client, 'disabledAt'>

/** Clients and roles to put, and to remove by id and by name. */
export interface Desired {
  readonly put: readonly DesiredClient[]
  readonly removed: readonly string[]
  readonly putRoles?: readonly Role[]
  readonly removedRoles?: readonly string[]
}

/** All clients but the console, their logos by client id, and the roles that operators have added. */
export interface Registered {
  readonly clients: readonly Client[]
  readonly logos: ReadonlyMap<string, Image>
  readonly roles: readonly Role[]
}

/** Fields that `change` can set. */
export type ClientChange = Partial<Pick<Client, Exclude<ClientField, 'implicit'> | 'registeredBy' | 'links'>> & WithLogo & {
  readonly policy?: ImplicitChange
  readonly firstSecret?: FirstSecret
}

/** A policy for the implicit grant, and when it takes effect. */
type ImplicitChange = Pick<Client, 'implicit' | 'implicitUntil'> & { readonly at: Date }

/** The registered clients. */
export interface Clients extends ClientAccess, ClientList {
  /** The client, disabled or not; `null` for an unknown id. A promise only on a cache miss. */
  find (id: string): Client | null | Promise<Client | null>
  /** The same, never from a cache. */
  read (id: string): Promise<Client | null>
  /** Whether CORS allows this origin: an enabled client has a callback there. */
  hasOrigin (origin: string): Promise<boolean>
  /** Adds a client, with its first secret if there is one. Returns `false`, with nothing changed, if the id is taken. */
  add (client: NewClient, firstSecret?: FirstSecret): Promise<boolean>
  /** Upsert: adds the client, or updates the one with that id. */
  put (client: NewClient): Promise<void>
  /**
   * Changes only the given fields, so that concurrent changes of others are kept. Returns `false` for an unknown id.
   * @param change the fields, or a function that computes them while the client is locked. It can be called again for a retry; if it
   *   throws, nothing is changed
   */
  change (id: string, change: ClientChange | ((before: Client) => ClientChange)): Promise<boolean>
  /**
   * Sets the policy for the implicit grant. A deprecation keeps its date. Returns `false` for an unknown id.
   * @param withCode whether it also allows the authorization code grant
   */
  setImplicit (id: string, policy: Pick<Client, 'implicit' | 'implicitUntil'>, now: Date, withCode?: boolean): Promise<boolean>
  /**
   * Atomic: puts and removes clients and roles. Revokes the tokens of clients that are disabled or removed.
   * @param desired what to change, or a function that computes it from the registered clients and roles. It is called again on a retry;
   *   if it throws, nothing changes. In an action's transaction, no other action changes clients or roles in between
   */
  apply (desired: Desired | ((registered: Registered) => Desired)): Promise<void>
}

export function openClients (connection: Connection): Clients {
  const access = createAccessEnd(connection)
  const changes = createClientChanges(connection, access)
  const removeTokens = createTokenRemoval(connection)
  const roleChanges = createRoleChanges(connection)
  async function read (id: string): Promise<Client | null> {
    // PostgreSQL rejects NUL in text.
    if (id.includes('\0')) return null
    return (await findClients(connection, sql`WHERE id = ${id}`))[0] ?? null
  }

  return {
    find: read,
    read,
    hasOrigin: createOriginSearch(connection),
    add: (client, firstSecret = null) => connection.transact(function * () {
      const isAdded = yield * changes.add(client)
      if (isAdded && firstSecret !== null) yield * fitSecrets(connection, client.id, firstSecret)
      return isAdded
    }),
    put: client => connection.transact(() => changes.put(client)),
    apply: desired => connection.transact(function * () {
      const { put, removed, putRoles = [], removedRoles = [] } = typeof desired === 'function'
        ? desired(yield * readRegistered(connection))
        : desired
      // Sorted, as everywhere: transactions on the same rows in different orders would deadlock.
      const ordered = [...put].sort((one, other) => one.id < other.id ? -1 : 1)
      const ended = [...ordered.filter(({ disabledAt }) => disabledAt !== null).map(({ id }) => id), ...removed]
      for (const role of putRoles) {
        if ((yield * roleChanges.change(role.name, role.scopes, role.requiredAcr)) === null) yield * roleChanges.add(role)
      }
      for (const name of removedRoles) yield * roleChanges.remove(name)
      yield * removeTokens(removed)
      for (const client of ordered) yield * changes.put(client)
      if (removed.length > 0) yield * queryStep(connection, {}, sql`DELETE FROM client WHERE id IN (${join(removed.toSorted())})`)
      if (ended.length > 0) yield * access.steps(ended.map(clientId => ({ clientId })))
    }),
    change: (id, change) => connection.transact(function * () {
      const wanted = typeof change === 'function' ? yield * decide(connection, id, change) : change
      if (wanted === null) return false
      const { policy, firstSecret, ...fields } = wanted
      if (policy !== undefined) yield * setPolicy(connection, id, policy, false)
      // A self-registered client can register for no other grants from now on.
      const registrable = fields.grantTypes && { registrableGrants: fields.grantTypes.join(' ') }
      const isChanged = yield * changes.change(id, { ...fields, ...registrable })
      if (isChanged && firstSecret !== undefined) yield * fitSecrets(connection, id, firstSecret)
      return isChanged
    }),
    setImplicit: (id, policy, at, withCode = false) => connection.transact(() => setPolicy(connection, id, { ...policy, at }, withCode)),
    ...openClientAccess(connection),
    ...openClientList(connection)
  }
}

function * readRegistered (connection: Connection): Steps<Registered> {
  const clients = yield * findClientsStep(connection, LISTED)
  return { clients, logos: yield * listLogosStep(connection), roles: yield * listRolesStep(connection) }
}

/** Locks a client and computes its change; `null` for an unknown id. */
function * decide (connection: Connection, id: string, change: (before: Client) => ClientChange): Steps<ClientChange | null> {
  if ((yield * executeStep(connection, sql`UPDATE client SET id = id WHERE id = ${id}`)) === 0) return null
  const client = yield * findClientStep(connection, id)
  return client === null ? null : change(client)
}

function * setPolicy (
  connection: Connection, id: string, { implicit, implicitUntil, at }: ImplicitChange, withCode: boolean
): Steps<boolean> {
  const isDeprecated = isImplicitDeprecated({ implicit })
  return (yield * executeStep(connection, sql`
    UPDATE client SET implicit = ${implicit}, implicit_until = ${implicitUntil}, updated_at = ${at},
      implicit_deprecated_at = CASE WHEN ${isDeprecated} THEN COALESCE(implicit_deprecated_at, ${isDeprecated ? at : null}) END,
      grant_types = CASE WHEN ${withCode} AND ' ' || grant_types || ' ' NOT LIKE '% authorization_code %'
        THEN TRIM(grant_types || ' authorization_code') ELSE grant_types END
    WHERE id = ${id}`)) === 1
}

/** Makes the check whether an enabled client has a callback at an origin. It seeks in an index a few times. */
export function createOriginSearch (connection: Connection): (origin: string) => Promise<boolean> {
  // The index's order, for any collation of the database.
  const uri = raw(connection.dialect === 'postgresql' ? 'uri COLLATE "C"' : 'uri')
  // The order makes PostgreSQL use the index for all values. Else it would expect an early match, and scan the table.
  const firstWhere = (condition: Sql) => sql`SELECT uri FROM (
    SELECT uri FROM client_callback JOIN client ON client.id = client_id WHERE disabled_at IS NULL AND ${condition} ORDER BY ${uri} LIMIT 1
  ) AS first`
  /** SQL conditions of callbacks that are the address, or continue with one of these characters. */
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
    return await exists(connection, join(conditions.map(firstWhere), ' UNION ALL '))
  }
}

/** The next character. */
function after (character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 1)
}
