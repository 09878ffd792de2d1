import { Type, type Static } from '@sinclair/typebox'
import { ClientEntry, complete, sortLists, type ShortEntry } from './client-entry.js'

/** A role in a clients file. */
export const RoleEntry = Type.Object({
  name: Type.String({ description: 'Name: 1 to 100 of the characters A-Z a-z 0-9 . _ -' }),
  scopes: Type.String({ description: 'Space-separated scopes that a user can grant only with this role, or with another role that has them.' })
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
  const sortScopes = ({ name, scopes }: RoleEntry) => ({ name, scopes: scopes.split(' ').sort().join(' ') })
  return { clients: clients.map(entry => sortLists(complete(entry))), roles: roles?.map(sortScopes).sort(byName) }
}

/** Compares roles by name. */
export function byName (one: RoleEntry, other: RoleEntry): number {
  return one.name < other.name ? -1 : 1
}
