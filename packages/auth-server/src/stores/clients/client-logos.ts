import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { clientLogo } from '../../generated/tables.js'
import { LOGO_FORMATS } from '../../oauth/client-logo.js'
import { parseImage, type Image } from '@frontdesk/service-kit/image'

const COLUMNS = pick(clientLogo, 'clientId', 'content')

const LIST = sql`SELECT client_id, content FROM client_logo`

/** Opens the logos of clients, which change with the clients. Stored in base64. */
export function openClientLogos (connection: Connection) {
  return {
    /** The logo with this name, of any client; `null` if there is none. */
    async find (name: string): Promise<Image | null> {
      const [found] = await query(connection, COLUMNS, sql`SELECT client_id, content FROM client_logo WHERE name = ${name} LIMIT 1`)
      return found === undefined ? null : read(found.content) ?? null
    },
    /** All logos by client id. */
    list: async () => byClient(await query(connection, COLUMNS, LIST))
  }
}

/** All logos by client id, as a step of a transaction. */
export function * listLogosStep (connection: Connection): Steps<ReadonlyMap<string, Image>> {
  return byClient(yield * queryStep(connection, COLUMNS, LIST))
}

function byClient (rows: ReadonlyArray<Row<typeof COLUMNS>>): ReadonlyMap<string, Image> {
  return new Map(rows.flatMap(({ clientId, content }) => {
    const logo = read(content)
    return logo === undefined ? [] : [[clientId, logo]]
  }))
}

function read (content: string): Image | undefined {
  return parseImage(Buffer.from(content, 'base64'), LOGO_FORMATS)
}

/** Sets or removes a client's logo, as steps of a transaction that has locked the client. */
export function * replaceLogo (connection: Connection, clientId: string, logo: Image | null): Steps<void> {
  yield * logo === null
    ? queryStep(connection, {}, sql`DELETE FROM client_logo WHERE client_id = ${clientId}`)
    : queryStep(connection, {}, sql`
      INSERT INTO client_logo (client_id, name, content) VALUES (${clientId}, ${logo.name}, ${logo.content.toString('base64')})
      ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, content = excluded.content`)
}
