import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { ownFields, type Client } from '../../oauth/client.js'
import { createAccessEnd } from '../access/end-access.js'
import { createClientChanges, type ClientChanges } from './client-changes.js'
import { readClients } from './client-row.js'

/** What metadata documents say of the apps that people have allowed. */
export interface StoredDocuments {
  /** The app, never from a cache; `null`: there is none. */
  read (id: string): Promise<Client | null>
  /**
   * Atomic: stores what the document of an app said when it was fetched. Changes nothing if a document that was fetched later is
   * stored, an operator has adopted the app, or the app would lose its keys.
   */
  renew (client: Client): Promise<void>
  /** Atomic: records that a document was withdrawn, unless one that was fetched later is stored. */
  end (id: string, at: Date): Promise<void>
}

/** {@link StoredDocuments} in a database. */
export function openClientDocuments (connection: Connection): StoredDocuments {
  const changes = createClientChanges(connection, createAccessEnd(connection))
  return {
    read: async id => (await readClients(connection, sql`WHERE id = ${id}`))[0] ?? null,
    async renew (client) {
      await connection.transact(() => changeDocument(connection, changes, client))
    },
    async end (id, at) {
      await query(connection, { id: 'string' }, sql`
        UPDATE client SET document_fetched_at = ${at}, document_fresh_until = NULL WHERE ${isOlder(id, at)} RETURNING id`)
    }
  }
}

/** Stores an app that a document describes, and what the document says. */
export function * keepDocument (connection: Connection, changes: ClientChanges, client: Client): Steps<void> {
  const added = yield * changes.add({ ...documentFields(client), id: client.id, registeredBy: 'document' })
  if (!added) yield * changeDocument(connection, changes, client)
}

/** Condition of a row: an app that has registered keys keeps them (RP Metadata Choices §4). @param method that it would have */
export function keepsKeys (method: string): Sql {
  return sql`(token_endpoint_auth_method <> 'private_key_jwt' OR ${method} = 'private_key_jwt')`
}

function * changeDocument (connection: Connection, changes: ClientChanges, client: Client): Steps<void> {
  const { id, tokenEndpointAuthMethod, documentFetchedAt: at } = client
  // Before all else: locks the row, so that what it finds stays true.
  const [older] = yield * queryStep(connection, { id: 'string' }, sql`
    UPDATE client SET document_fetched_at = ${at} WHERE ${isOlder(id, at)} AND ${keepsKeys(tokenEndpointAuthMethod)} RETURNING id`)
  if (older === undefined) return
  yield * changes.change(id, documentFields(client))
}

/** Condition of a row: a document describes it, and the stored one was not fetched after this time. */
function isOlder (id: string, at: Date | null): Sql {
  return sql`id = ${id} AND registered_by = 'document' AND (document_fetched_at IS NULL OR document_fetched_at <= ${at})`
}

/** What a document decides. Not whether its app pushes requests: it cannot before it is known here. */
function documentFields (client: Client) {
  const wire = ownFields.filter(([name, it]) => it.wire !== undefined && name !== 'requirePushedAuthorizationRequests').map(([name]) => name)
  const names = [...wire, 'resources', 'native', 'links', 'documentFetchedAt', 'documentFreshUntil'] as const
  // as: those are fields of a client.
  return Object.fromEntries(names.map(name => [name, client[name]])) as Partial<Client> & Pick<Client, 'name'>
}
