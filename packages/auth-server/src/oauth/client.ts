import type { Static, TSchema } from '@sinclair/typebox'
import type { FieldFacts } from './client-field.js'
import { clientFields } from './client-fields.js'

type Table = typeof clientFields

/** Name of a field that is stored as in the table. */
export type ClientField = { [Name in keyof Table]: Table[Name] extends { schema: TSchema } ? Name : never }[keyof Table]

/** The fields that are set at registration. */
export type ClientSettings = { readonly [Name in ClientField]: Value<Static<Table[Name]['schema']>> }

type Value<T> = T extends Array<infer Item> ? readonly Item[] : T

/** A registered application (RFC 6749 §2). */
export interface Client extends ClientSettings {
  readonly id: string
  /** Name of its logo, which changes with the content; `null` without one. */
  readonly logoName: string | null
  /** When the implicit grant was deprecated for it; `null`: not deprecated. */
  readonly implicitDeprecatedAt: Date | null
  /** End date of the implicit grant; `null` unless `implicit` is `until`. */
  readonly implicitUntil: Date | null
  /** When it last exchanged a code without a code verifier, to the hour; `null`: never. */
  readonly withoutPkceAt: Date | null
  /** Secret of the sector, base64url; `null` without one. */
  readonly pairwiseSalt: string | null
  /** JSON of its {@link ClientLinks} from self-registration; `null`: none. */
  readonly links: string | null
  readonly demo: boolean
  /** Who registered it: the operator; or itself, with an initial access token, without one (RFC 7591), or by a metadata document. */
  readonly registeredBy: 'operator' | 'token' | 'open' | 'document'
  /** When its metadata document was fetched; `null`: it has none. */
  readonly documentFetchedAt: Date | null
  /** When to fetch this document again; `null`: it has none, or its publisher has withdrawn it. */
  readonly documentFreshUntil: Date | null
  /** When a user last allowed it access, to the day; `null`: never, or it did not register itself. */
  readonly usedAt: Date | null
  /** When it was disabled; `null` if it is not. */
  readonly disabledAt: Date | null
  readonly createdAt: Date
}

/** The description of any field. */
export type AnyField = Omit<FieldFacts<unknown>, 'default'> & { readonly schema?: TSchema, readonly default?: unknown }

// as: an entry describes the values of its own field only.
const all = Object.entries(clientFields) as unknown as Array<[name: keyof Table, field: AnyField]>

/** All fields of the table, in its order. */
export const everyField: ReadonlyArray<readonly [name: keyof Table, field: AnyField]> = all

/** The fields that are stored as in the table. */
// as: exactly those have a schema.
export const ownFields = all.filter(([, { schema }]) => schema !== undefined) as Array<[ClientField, AnyField & { schema: TSchema }]>

/** Name of a list that has a table of its own. */
type UriField = { [Name in ClientField]: Table[Name] extends { table: string } ? Name : never }[ClientField]

/** Name of a field in client metadata (RFC 7591 §2); `undefined`: it has none. */
export function wireName ({ wire }: Pick<AnyField, 'wire'>): string | undefined {
  return typeof wire === 'object' ? wire.name : wire
}

/** The tables of lists, by field. */
// as: exactly those name a table.
export const uriTables = new Map(ownFields.flatMap(([name, { table }]) => table === undefined ? [] : [[name as UriField, table] as const]))

/** Defaults of the fields; a name has none. */
// as: those are the defaults of the table.
export const clientDefaults = Object.fromEntries(
  ownFields.flatMap(([name, it]) => 'default' in it ? [[name, it.default]] : [])
) as Omit<ClientSettings, 'name'>
