import { Type, type TSchema } from '@sinclair/typebox'
import type { Written } from '../oauth/client-field.js'
import type { clientFields } from '../oauth/client-fields.js'
import { everyField, type AnyField, type Client } from '../oauth/client.js'
import { dataUrlOf, logoOf } from '../oauth/client-logo.js'
import { allowedScopeOf } from '../registration/client-rules.js'
import type { Image } from '@frontdesk/service-kit/image'
import type { DesiredClient } from '../stores/clients/clients.js'
import { parsePolicy, writePolicy } from './implicit-policy.js'
import { sectorOf } from '../registration/sector.js'

type Table = typeof clientFields

/** Maximum length of a field's values in the audit trail, in characters of JSON. */
const MAX_AUDITED = 2_000

/** A client as written in a clients file, options or a form, with every field. */
export type ClientEntry = { [Name in keyof Table]: Written<Table[Name]> }

/** The same without fields that have their default. */
export type ShortEntry = Pick<ClientEntry, 'clientId' | 'name'> & Partial<ClientEntry>

/** Schema of {@link ShortEntry}. */
export const ClientEntry = Type.Object(Object.fromEntries(everyField.map(([name, field]) => [name, propertyOf(field)])), {
  additionalProperties: false
})

/** Values of omitted fields. */
// as: every field but these two has a default, which its type allows.
export const defaults = Object.fromEntries(Object.entries(ClientEntry.properties)
  .flatMap(([name, { default: value }]) => value === undefined ? [] : [[name, value]])) as Omit<ClientEntry, 'clientId' | 'name'>

function propertyOf ({ file, schema = Type.Never(), says, note = '', null: none, default: usual }: AnyField): TSchema {
  const description = `${says}${note}.${none === undefined ? '' : ` null: ${none}.`}`
  const described = { default: usual, description, ...(file ?? schema) }
  return described.default === undefined ? described : Type.Optional(described)
}

/** The entry of a registered client. @param logos of all clients */
export function entryOf (client: Client, logos: ReadonlyMap<string, Image>): ClientEntry {
  const logo = logos.get(client.id)
  const written: Partial<ClientEntry> = {
    clientId: client.id,
    logo: logo === undefined ? null : dataUrlOf(logo),
    allowedScope: client.allowedScope ?? '*',
    implicit: writePolicy(client),
    // as: validated at registration.
    jwks: client.jwks === null ? null : JSON.parse(client.jwks) as ClientEntry['jwks'],
    subjectType: client.sectorIdentifier === null ? 'public' : 'pairwise',
    disabled: client.disabledAt !== null
  }
  const columns: Record<string, unknown> = { ...client }
  // as: a field is written as in the row, or above.
  return Object.fromEntries(everyField.map(([name]) => [name, name in written ? written[name] : columns[name]])) as ClientEntry
}

/** Adds the defaults of omitted fields, in the form of {@link entryOf}. @throws Refusal if the policy of the implicit grant is invalid */
export function complete (entry: ShortEntry): ClientEntry {
  const whole = { ...defaults, ...entry }
  const logo = logoOf(whole.logo ?? '')
  return {
    ...whole,
    logo: logo === undefined ? null : dataUrlOf(logo),
    sectorIdentifier: sectorOf(whole, whole.callbacks),
    implicit: writePolicy(parsePolicy(whole.implicit))
  }
}

/** The fields that differ between two entries, with both values. */
export type FieldDifferences = Readonly<Partial<Record<keyof ClientEntry, { readonly from: unknown, readonly to: unknown }>>>

/** Compares two entries, field by field. */
export function differencesOf (from: ClientEntry | undefined, to: ClientEntry): FieldDifferences {
  return Object.fromEntries(everyField.map(([name]) => [name, { from: from?.[name], to: to[name] }] as const)
    .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)))
}

/** The changed fields before and after, without the logo and long values. */
export function audited (differences: FieldDifferences): Record<'before' | 'after', Partial<ClientEntry>> {
  const shown = Object.entries(differences).filter(([name, { from, to }]) =>
    name !== 'logo' && JSON.stringify(from).length + JSON.stringify(to).length <= MAX_AUDITED)
  const pick = (side: 'from' | 'to') => Object.fromEntries(shown.map(([name, values]) => [name, values[side]]))
  return { before: pick('from'), after: pick('to') }
}

/** Sorts the lists of an entry, to compare it with others. */
export function sortLists (entry: ClientEntry): ClientEntry {
  const sorted = everyField.map(([name]) => [name, Array.isArray(entry[name]) ? entry[name].toSorted() : entry[name]])
  // as: sorting keeps the types.
  return Object.fromEntries(sorted) as ClientEntry
}

/** Omits fields that have their default value. */
export function shorten (entry: ClientEntry): ShortEntry {
  const usual: Record<string, unknown> = defaults
  // as: fields without a default are never omitted.
  return Object.fromEntries(Object.entries(entry).filter(([name, value]) =>
    !(name in usual) || JSON.stringify(value) !== JSON.stringify(usual[name]))) as ShortEntry
}

/** Converts an entry to the client to store. @param before the registered client, whose times it keeps @param now the database's time */
export function clientOf (
  { clientId: id, logo, implicit, jwks, subjectType: _, allowedScope, disabled, ...columns }: ClientEntry,
  before: Client | undefined,
  now: Date
): DesiredClient {
  return {
    ...columns,
    id,
    logo: logo === null ? null : logoOf(logo) ?? null,
    allowedScope: allowedScopeOf(allowedScope),
    jwks: jwks === null ? null : JSON.stringify(jwks),
    ...parsePolicy(implicit),
    implicitDeprecatedAt: before?.implicitDeprecatedAt ?? now,
    disabledAt: disabled ? before?.disabledAt ?? now : null,
    demo: before?.demo ?? false
  }
}
