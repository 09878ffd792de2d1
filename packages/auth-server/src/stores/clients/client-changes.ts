import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { join, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnOf } from '@frontdesk/database/table'
import { randomBytes } from 'node:crypto'
import { clientDefaults, uriTables } from '../../oauth/client.js'
import { OWN_SECTOR } from '../../oauth/subject.js'
import type { AccessEnd } from '../access/end-access.js'
import { replaceLogo } from './client-logos.js'
import { complete, toRow, type NewClient } from './client-row.js'

/** What else is stored of an app that manages its registration. */
interface ManagedFields {
  /** Of its registration access token. */
  readonly registrationHash: string
  /** Space-separated grants that it can register for. */
  readonly registrableGrants: string
}

/** Changes of a client, as steps of a transaction. */
export interface ClientChanges {
  /** Adds a client. Returns `false`, with nothing changed, if the id is taken. @param managed of one that manages its registration */
  add (client: NewClient, managed?: ManagedFields): Steps<boolean>
  /** Upsert: adds the client, or updates the one with that id. */
  put (client: NewClient): Steps<void>
  /** Changes the given fields. Returns `false` for an unknown id. */
  change (id: string, fields: Partial<NewClient & ManagedFields>): Steps<boolean>
}

/** Random bytes of the salt of a sector. */
const SALT_LENGTH = 32

/** Condition of a row of `client`: it may have told someone a `sub`. An app that registered itself has not before a person allows it. */
const hasSubjects = sql`(registered_by = 'operator' OR used_at IS NOT NULL)`

/** {@link ClientChanges} in SQL. A client that moves to another sector loses its access: people would get another `sub`. */
export function createClientChanges (connection: Connection, access: AccessEnd): ClientChanges {
  const now = raw(databaseTime(connection))

  function insert (client: NewClient, onConflict: (columns: string[]) => Sql, more: object = {}): Steps<Array<{ id: string }>> {
    const row = toRow({ ...complete(client), ...more })
    const columns = Object.keys(row).map(columnOf)
    return queryStep(connection, { id: 'string' }, sql`
      INSERT INTO client (${raw(columns.join(', '))}, created_at, updated_at) VALUES (${join(Object.values(row))}, ${now}, ${now})
      ON CONFLICT ${onConflict(columns)} RETURNING id`)
  }

  return {
    * add (client, managed) {
      if (client.sectorIdentifier != null) yield * enterSector(connection, client.id, client.sectorIdentifier)
      const added = yield * insert(client, () => sql`DO NOTHING`, managed)
      if (added.length === 0) return false
      yield * replaceLists(connection, client.id, client)
      return true
    },
    * put (client) {
      const moves = yield * enterSector(connection, client.id, client.sectorIdentifier ?? null)
      yield * insert(client, columns =>
        sql`(id) DO UPDATE SET ${raw(columns.map(column => `${column} = excluded.${column}`).join(', '))}, updated_at = excluded.updated_at`)
      yield * replaceLists(connection, client.id, { ...clientDefaults, logo: null, ...client })
      if (moves) yield * access.steps([{ clientId: client.id }])
    },
    * change (id, fields) {
      const { sectorIdentifier: sector } = fields
      const moves = sector !== undefined && (yield * enterSector(connection, id, sector))
      const assignments = Object.entries(toRow(fields)).map(([field, value]) => sql`${raw(columnOf(field))} = ${value}`)
      const changed = yield * queryStep(connection, { id: 'string' }, sql`
        UPDATE client SET ${join([...assignments, sql`updated_at = ${now}`])} WHERE id = ${id} RETURNING id`)
      if (changed.length === 0) return false
      yield * replaceLists(connection, id, fields)
      if (moves) yield * access.steps([{ clientId: id }])
      return true
    }
  }
}

/** Replaces what other tables have of a client; what is missing stays as it is. */
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

/** Makes the sector, unless it exists; a sweep keeps that of a self-registered app for another day. Returns whether a client moves. */
function * enterSector (connection: Connection, id: string, sector: string | null): Steps<boolean> {
  if (sector !== null) {
    const salt = randomBytes(SALT_LENGTH).toString('base64url')
    yield * queryStep(connection, {}, sql`
      INSERT INTO sector (identifier, salt, created_at) VALUES (${sector}, ${salt}, ${raw(databaseTime(connection))})
      ON CONFLICT (identifier) DO UPDATE
      SET created_at = CASE WHEN ${sector.startsWith(OWN_SECTOR)} THEN excluded.created_at ELSE sector.created_at END`)
  }
  const moved = yield * queryStep(connection, { id: 'string' }, sql`
    SELECT id FROM client WHERE id = ${id} AND sector_identifier IS DISTINCT FROM ${sector} AND ${hasSubjects}`)
  return moved.length > 0
}
