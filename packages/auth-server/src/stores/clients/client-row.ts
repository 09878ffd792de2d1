import type { Connection } from '@frontdesk/database/connection'
import type { Columns, Row } from '@frontdesk/database/rows'
import { query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnOf } from '@frontdesk/database/table'
import type { TSchema } from '@sinclair/typebox'
import { client as table } from '../../generated/tables.js'
import { choicesOf } from '../../oauth/client-field.js'
import { clientDefaults, ownFields, uriTables, type Client } from '../../oauth/client.js'
import { registrarOf } from '../../oauth/identity.js'
import { isImplicitDeprecated } from '../../oauth/implicit.js'
import type { Image } from '@frontdesk/service-kit/image'

/** Fields that only the stores set. */
type StoreFields = 'disabledAt' | 'createdAt' | 'withoutPkceAt' | 'pairwiseSalt' | 'logoName' | 'usedAt'

/** A client to register. If it deprecates the implicit grant, it needs `implicitDeprecatedAt`. */
export type NewClient = Pick<Client, 'id' | 'name'> & Partial<Omit<Client, 'id' | 'name' | StoreFields>> & WithLogo

/** A client's logo; `null`: none. */
export interface WithLogo { readonly logo?: Image | null }

const isInTable = (name: string) => [...uriTables.keys()].some(it => it === name)

/** The columns of its row, without those of its registration. */
const { registrationHash, previousRegistrationHash, registrableGrants, updatedAt, ...OWN_COLUMNS } = table.columns

/** Columns of a client; lists are space-separated. */
export const COLUMNS = {
  ...OWN_COLUMNS,
  ...Object.fromEntries([...uriTables.keys()].map(name => [name, 'string?' as const])),
  pairwiseSalt: 'string?',
  logoName: 'string?'
} as const satisfies Columns

/** The same in SQL. URIs have no spaces (RFC 3986 §2). */
export const columns = [
  ...Object.keys(OWN_COLUMNS).map(columnOf),
  ...[...uriTables.values()].map(table => `(SELECT string_agg(uri, ' ') FROM ${table} WHERE client_id = client.id)`),
  '(SELECT salt FROM sector WHERE identifier = client.sector_identifier)',
  '(SELECT name FROM client_logo WHERE client_id = client.id)'
].join(', ')

/** Defaults of a new client. */
export const DEFAULTS = {
  ...clientDefaults,
  implicitDeprecatedAt: null,
  implicitUntil: null,
  links: null,
  demo: false,
  registeredBy: 'operator',
  documentFetchedAt: null,
  documentFreshUntil: null
} as const satisfies Partial<NewClient>

/** Adds the defaults. @throws TypeError if a deprecation of the implicit grant has no date */
export function complete (given: NewClient) {
  const client = { ...DEFAULTS, ...given }
  if (!isImplicitDeprecated(client)) return { ...client, implicitDeprecatedAt: null, implicitUntil: null }
  if (client.implicitDeprecatedAt === null) throw new TypeError('A deprecation of the implicit grant needs its date.')
  return { ...client, implicitUntil: client.implicit === 'until' ? client.implicitUntil : null }
}

/** The values of its row, without fields that other tables store. */
export function toRow ({ logo: _, ...fields }: Partial<NewClient>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isInTable(name))
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : value]))
}

export function toClient (row: Row<typeof COLUMNS>): Client {
  const columns: Record<string, unknown> = row
  const own = ownFields.map(([name, { schema, default: usual }]) => [name, toValue(columns[name], schema, usual, isInTable(name))])
  // as: the columns are those of a client.
  return { ...row, registeredBy: registrarOf(row.registeredBy), ...Object.fromEntries(own) } as Client
}

/** Finds clients. @param rest SQL after `FROM client` */
export async function findClients (connection: Connection, rest: Sql): Promise<Client[]> {
  return (await query(connection, COLUMNS, sql`SELECT ${raw(columns)} FROM client ${rest}`)).map(toClient)
}

/** The same as a step of a transaction. */
export function * findClientsStep (connection: Connection, rest: Sql): Steps<Client[]> {
  return (yield * queryStep(connection, COLUMNS, sql`SELECT ${raw(columns)} FROM client ${rest}`)).map(toClient)
}

/** Finds a client as a step of a transaction; `null` if there is none. */
export function * findClientStep (connection: Connection, id: string): Steps<Client | null> {
  return (yield * findClientsStep(connection, sql`WHERE id = ${id}`))[0] ?? null
}

/** The value of a column. Fails closed: an unknown choice becomes the default. @param isSet whether the order has no meaning */
function toValue (stored: unknown, schema: TSchema, usual: unknown, isSet: boolean): unknown {
  if (schema.type === 'array') return isSet ? words(stored).sort() : words(stored)
  const choices = choicesOf(schema)
  return choices.length === 0 || choices.includes(String(stored)) ? stored : usual
}

function words (stored: unknown): string[] {
  return typeof stored === 'string' ? stored.split(' ').filter(it => it !== '') : []
}
