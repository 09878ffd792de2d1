import { Type, type Static } from '@sinclair/typebox'
import { REQUIRED_ACRS } from '../oauth/acr.js'
import { choice } from '../oauth/client-field.js'
import type { Role } from '../stores/access/roles.js'
import { ClientEntry, complete, sortLists, type ShortEntry } from './client-entry.js'

/** A role in a clients file. */
export const RoleEntry = Type.Object({
  name: Type.String({ description: 'Name: 1 to 100 of the characters A-Z a-z 0-9 . _ -' }),
  scopes: Type.String({
    description: 'Space-separated scopes that a user can grant only with this role, or with another role that has them.'
  }),
  requiredAcr: Type.Optional(Type.Unsafe<typeof REQUIRED_ACRS[number]>({
    ...choice(...REQUIRED_ACRS), description: 'Minimum sign-in level of its users. If omitted, a password suffices.'
  }))
}, { additionalProperties: false })
export type RoleEntry = Static<typeof RoleEntry>

/** A clients file: `export` prints it, `apply` reads it. */
export const ClientsFile = Type.Object({
  clients: Type.Array(ClientEntry, { description: 'The clients to register.' }),
  roles: Type.Optional(Type.Array(RoleEntry, { description: 'The roles. If omitted, roles are not changed.' }))
}, { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Clients of a Frontdesk auth-server', additionalProperties: false })
export interface ClientsFile { readonly clients: readonly ShortEntry[], readonly roles?: readonly RoleEntry[] | undefined }

/** The content of a clients file, with every field and sorted lists. */
export interface Wanted {
  readonly clients: readonly ClientEntry[]
  /** Sorted by name; `undefined` if the file has no roles, which leaves them unchanged. */
  readonly roles: readonly RoleEntry[] | undefined
}

/** Completes the content of a valid file. */
export function wantedOf ({ clients, roles }: ClientsFile): Wanted {
  const sortScopes = ({ scopes, ...role }: RoleEntry) => ({ ...role, scopes: scopes.split(' ').sort().join(' ') })
  return { clients: clients.map(entry => sortLists(complete(entry))), roles: roles?.map(sortScopes).sort(byName) }
}

/** A role in the format of a clients file. */
export function roleEntryOf ({ name, scopes, requiredAcr }: Role): RoleEntry {
  return { name, scopes: scopes.join(' '), ...requiredAcr !== null && { requiredAcr } }
}

/** The role of an entry. */
export function roleOf ({ name, scopes, requiredAcr }: RoleEntry): Role {
  return { name, scopes: scopes.split(' '), requiredAcr: requiredAcr ?? null }
}

/** What a role requires and reserves, as text. */
export function describeRole ({ scopes, requiredAcr }: RoleEntry): string {
  return requiredAcr === undefined ? scopes : `${scopes} (${requiredAcr})`
}

/** Compares roles by name. */
export function byName (one: RoleEntry, other: RoleEntry): number {
  return one.name < other.name ? -1 : 1
}
