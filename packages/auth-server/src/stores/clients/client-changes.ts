import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, existsStep, join, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnOf } from '@frontdesk/database/table'
import { randomBytes } from 'node:crypto'
import { clientDefaults, uriTables } from '../../oauth/client.js'
import { OWN_SECTOR } from '../../oauth/subject.js'
import type { AccessEnd } from '../access/end-access.js'
import { replaceLogo } from './client-logos.js'
import { complete, toRow, type NewClient } from './client-row.js'

/** Fields of a client that manages its registration. */
interface ManagedFields {
  /** Hash of its registration access token. */
  readonly registrationHash: string
  /** Space-separated grant types that it can register for. */
  readonly registrableGrants: string
}

/** Changes of a client, as steps of a transaction. */
export interface ClientChanges {
  /** Adds a client. Returns `false`, with nothing changed, if the id is taken. */
  add (client: NewClient, managed?: ManagedFields): Steps<boolean>
  /** Upsert: adds the client, or updates the one with that id. */
  put (client: NewClient): Steps<void>
  /** Changes the given fields. Returns `false` for an unknown id. */
  change (id: string, fields: Partial<NewClient & ManagedFields>): Steps<boolean>
}

const SALT_BYTES = 32

/** Condition of a row of `client`: it may know a user's `sub`. A self-registered client does not before a user allows it. */
const hasSubjects = sql`(registered_by = 'operator' OR used_at IS NOT NULL)`

/** Makes the changes. A client that moves to another sector loses its access, because its users' `sub` changes. */
export function createClientChanges (connection: Connection, access: AccessEnd): ClientChanges {
  const now = raw(databaseTime(connection))

  function insert (client: NewClient, onConflict: (columns: string[]) => Sql, more: object = {}): Steps<number> {
    const row = toRow({ ...complete(client), ...more })
    const columns = Object.keys(row).map(columnOf)
    return executeStep(connection, sql`
      INSERT INTO client (${raw(columns.join(', '))}, created_at, updated_at) VALUES (${join(Object.values(row))}, ${now}, ${now})
      ON CONFLICT ${onConflict(columns)}`)
  }

  return {
    * add (client, managed) {
      if (client.sectorIdentifier != null) yield * enterSector(connection, client.id, client.sectorIdentifier)
      if ((yield * insert(client, () => sql`DO NOTHING`, managed)) === 0) return false
      yield * replaceLists(connection, client.id, client)
      return true
    },
    * put (client) {
      const moves = yield * enterSector(connection, client.id, client.sectorIdentifier ?? null)
      yield * insert(client, columns =>
        sql`(id) DO UPDATE SET ${raw(columns.map(column => `${column} = excluded.${column}`).join(', '))},
          updated_at = excluded.updated_at`)
      yield * replaceLists(connection, client.id, { ...clientDefaults, logo: null, ...client })
      if (moves) yield * access.steps([{ clientId: client.id }])
    },
    * change (id, fields) {
      const { sectorIdentifier: sector } = fields
      const moves = sector !== undefined && (yield * enterSector(connection, id, sector))
      const assignments = Object.entries(toRow(fields)).map(([field, value]) => sql`${raw(columnOf(field))} = ${value}`)
      const changed = yield * executeStep(connection, sql`
        UPDATE client SET ${join([...assignments, sql`updated_at = ${now}`])} WHERE id = ${id}`)
      if (changed === 0) return false
      yield * replaceLists(connection, id, fields)
      if (moves) yield * access.steps([{ clientId: id }])
      return true
    }
  }
}

/** Replaces the fields that other tables store; missing ones stay as they are. */
function * replaceLists (connection: Connection, id: string, fields: Partial<NewClient>): Steps<void> {
  if (fields.logo !== undefined) yield * replaceLogo(connection, id, fields.logo)
  for (const [list, name] of uriTables) {
    const uris = fields[list]
    if (uris === undefined) continue
    const table = raw(name)
    yield * queryStep(connection, {}, sql`DELETE FROM ${table} WHERE client_id = ${id}`)
    if (uris.length === 0) continue
    yield * queryStep(connection, {}, sql`INSERT INTO ${table} (client_id, uri) VALUES ${join(uris.map(uri => sql`(${id}, ${uri})`))}`)
  }
}

/** Adds the sector, or keeps that of a self-registered client from the sweep for another day. Returns whether the client moves. */
function * enterSector (connection: Connection, id: string, sector: string | null): Steps<boolean> {
  if (sector !== null) {
    const salt = randomBytes(SALT_BYTES).toString('base64url')
    yield * queryStep(connection, {}, sql`
      INSERT INTO sector (identifier, salt, created_at) VALUES (${sector}, ${salt}, ${raw(databaseTime(connection))})
      ON CONFLICT (identifier) DO UPDATE
      SET created_at = CASE WHEN ${sector.startsWith(OWN_SECTOR)} THEN excluded.created_at ELSE sector.created_at END`)
  }
  return yield * existsStep(connection, sql`
    SELECT 1 FROM client WHERE id = ${id} AND sector_identifier IS DISTINCT FROM ${sector} AND ${hasSubjects}`)
}
