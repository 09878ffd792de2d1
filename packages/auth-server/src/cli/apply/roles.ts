import { styled } from '@frontdesk/service-kit/cli/table'
import type { Role } from '../../stores/roles.js'
import { showable } from '@frontdesk/service-kit/showable'
import type { RoleEntry } from './clients-file.js'

/** The differences between the roles and a file, in the order of their names. */
export interface RolePlan {
  readonly added: readonly RoleEntry[]
  readonly changed: ReadonlyArray<RoleEntry & { readonly from: string }>
  /** Not in the file: removed with --prune. */
  readonly surplus: readonly string[]
}

/** Converts a role to its entry in a clients file. */
export function roleEntryOf ({ name, scopes }: Role): RoleEntry {
  return { name, scopes: scopes.join(' ') }
}

/** The entry with its scopes in the order of {@link roleEntryOf}. */
export function sortScopes ({ name, scopes }: RoleEntry): RoleEntry {
  return { name, scopes: scopes.split(' ').sort().join(' ') }
}

/** Compares the roles with the wanted ones. @param wanted `undefined`: as they are */
export function planRoles (present: readonly RoleEntry[], wanted: readonly RoleEntry[] = present): RolePlan {
  const before = new Map(present.map(({ name, scopes }) => [name, scopes]))
  return {
    added: wanted.filter(({ name }) => !before.has(name)),
    changed: wanted.flatMap(role => {
      const from = before.get(role.name)
      return from === undefined || from === role.scopes ? [] : [{ ...role, from }]
    }),
    surplus: present.map(({ name }) => name).filter(name => !wanted.some(role => role.name === name))
  }
}

/** Formats a plan: a line for each role that is added, changed or removed. */
export function describeRolePlan ({ added, changed, surplus }: RolePlan, prune: boolean): string[] {
  return [
    ...added.map(({ name, scopes }) => styled('green', `+ role ${name}: ${showable(scopes)}`)),
    ...changed.map(({ name, scopes, from }) => styled('yellow', `~ role ${name}: ${showable(`${from} → ${scopes}`)}`)),
    ...prune ? surplus.map(name => styled('red', `- role ${name}`)) : []
  ]
}
