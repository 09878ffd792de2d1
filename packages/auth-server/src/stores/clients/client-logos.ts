import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { clientLogo } from '../../generated/tables.js'
import { LOGO_FORMATS } from '../../oauth/client-logo.js'
import { parseImage, type Image } from '../../settings/image.js'

/** The logos of clients, which change with the clients. Stored in base64. */
export interface ClientLogos {
  /** The logo with this name, of any client; `null` if there is none. */
  find (name: string): Promise<Image | null>
  /** All logos by client id. */
  list (): Promise<ReadonlyMap<string, Image>>
}

const COLUMNS = pick(clientLogo, 'clientId', 'content')

export function openClientLogos (connection: Connection): ClientLogos {
  const read = (content: string) => parseImage(Buffer.from(content, 'base64'), LOGO_FORMATS)
  return {
    async find (name) {
      const [found] = await query(connection, COLUMNS, sql`SELECT client_id, content FROM client_logo WHERE name = ${name} LIMIT 1`)
      return found === undefined ? null : read(found.content) ?? null
    },
    async list () {
      const rows = await query(connection, COLUMNS, sql`SELECT client_id, content FROM client_logo`)
      return new Map(rows.flatMap(({ clientId, content }) => {
        const logo = read(content)
        return logo === undefined ? [] : [[clientId, logo]]
      }))
    }
  }
}

/** Sets or removes a client's logo, as steps of a transaction that has locked the client. */
export function * replaceLogo (connection: Connection, clientId: string, logo: Image | null): Steps<void> {
  yield * logo === null
    ? queryStep(connection, {}, sql`DELETE FROM client_logo WHERE client_id = ${clientId}`)
    : queryStep(connection, {}, sql`
      INSERT INTO client_logo (client_id, name, content) VALUES (${clientId}, ${logo.name}, ${logo.content.toString('base64')})
      ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, content = excluded.content`)
}
