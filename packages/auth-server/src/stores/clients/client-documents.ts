import type { Connection } from '@frontdesk/database/connection'
import { execute, executeStep, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { ownFields, type Client } from '../../oauth/client.js'
import { createAccessEnd } from '../access/end-access.js'
import { createClientChanges, type ClientChanges } from './client-changes.js'

/** Stored metadata documents of clients that users have allowed. */
export interface StoredDocuments {
  /**
   * Atomic: stores a client's document as fetched. Changes nothing if a document that was fetched later is stored, an operator
   * has adopted the client, or it would lose its keys.
   */
  renew (client: Client): Promise<void>
  /** Atomic: records that a document was withdrawn, unless one that was fetched later is stored. */
  end (id: string, at: Date): Promise<void>
}

export function openClientDocuments (connection: Connection): StoredDocuments {
  const changes = createClientChanges(connection, createAccessEnd(connection))
  return {
    async renew (client) {
      await connection.transact(() => changeDocument(connection, changes, client))
    },
    async end (id, at) {
      await execute(connection, sql`UPDATE client SET document_fetched_at = ${at}, document_fresh_until = NULL WHERE ${isOlder(id, at)}`)
    }
  }
}

/** Stores the client that a document describes. */
export function * keepDocument (connection: Connection, changes: ClientChanges, client: Client): Steps<void> {
  const added = yield * changes.add({ ...documentFields(client), id: client.id, registeredBy: 'document' })
  if (!added) yield * changeDocument(connection, changes, client)
}

/** Condition of a row: a client that has registered keys keeps them (RP Metadata Choices §4). @param method its new method */
export function keepsKeys (method: string): Sql {
  return sql`(token_endpoint_auth_method <> 'private_key_jwt' OR ${method} = 'private_key_jwt')`
}

function * changeDocument (connection: Connection, changes: ClientChanges, client: Client): Steps<void> {
  const { id, tokenEndpointAuthMethod, documentFetchedAt: at } = client
  // First: the lock on the row keeps the condition true.
  const older = yield * executeStep(connection, sql`
    UPDATE client SET document_fetched_at = ${at} WHERE ${isOlder(id, at)} AND ${keepsKeys(tokenEndpointAuthMethod)}`)
  if (older === 1) yield * changes.change(id, documentFields(client))
}

/** Condition of a row: its document was fetched by this time. */
function isOlder (id: string, at: Date | null): Sql {
  return sql`id = ${id} AND registered_by = 'document' AND (document_fetched_at IS NULL OR document_fetched_at <= ${at})`
}

/** The fields that a document sets. Not `requirePushedAuthorizationRequests`: an unknown client cannot push requests. */
function documentFields (client: Client) {
  const wire = ownFields.filter(([name, it]) => it.wire !== undefined && name !== 'requirePushedAuthorizationRequests')
    .map(([name]) => name)
  const names = [...wire, 'resources', 'native', 'links', 'documentFetchedAt', 'documentFreshUntil'] as const
  // as: these are fields of a client.
  return Object.fromEntries(names.map(name => [name, client[name]])) as Partial<Client> & Pick<Client, 'name'>
}
