import { quote } from '@frontdesk/service-kit/showable'
import { isSelfRegistered } from '../oauth/identity.js'
import type { Registered } from '../stores/clients/clients.js'
import { differencesOf, entryOf, sortLists, type ClientEntry, type FieldDifferences } from './client-entry.js'
import { describeRole, roleEntryOf, type RoleEntry, type Wanted } from './clients-file.js'
import { parsePolicy, whyNotFuture } from './implicit-policy.js'
import { Refusal } from './refusal.js'
import { MAX_ROLES, tooManyRoles } from './roles.js'

/** The changed fields of a client, with their current and new values. */
interface Change { readonly clientId: string, readonly fields: FieldDifferences }

/** The differences between clients or roles and a file. */
interface Differences<Added, Changed> {
  readonly added: readonly Added[]
  readonly changed: readonly Changed[]
  /** Not in the file, and removed. */
  readonly removed: readonly string[]
  /** Not in the file, and kept. */
  readonly kept: readonly string[]
}

/** What a clients file changes. */
export interface Plan {
  readonly clients: Differences<string, Change> & { readonly unchanged: readonly string[] }
  readonly roles: Differences<RoleEntry, RoleEntry & { readonly from: string }>
}

/** The clients that operators registered and the roles, in the format of a clients file. */
export function entriesOf ({ clients, logos, roles }: Registered): { clients: ClientEntry[], roles: RoleEntry[] } {
  return {
    clients: clients.filter(client => !isSelfRegistered(client)).map(client => sortLists(entryOf(client, logos))),
    roles: roles.map(roleEntryOf)
  }
}

/**
 * Compares the registered clients and roles with a file.
 * @throws Refusal with a fault for each registered client whose new end date of the implicit grant has passed: the year can be a typo.
 *   New clients can have past dates, so that an old export can be restored
 */
export function planOf (
  registered: ReturnType<typeof entriesOf>, wanted: Wanted, { prune, now }: { readonly prune: boolean, readonly now: Date }
): Plan {
  const surplusOf = (names: readonly string[], kept: readonly string[]) => {
    const known = new Set(kept)
    const surplus = names.filter(name => !known.has(name))
    return prune ? { removed: surplus, kept: [] } : { removed: [], kept: surplus }
  }
  const clients = {
    ...comparedClients(registered.clients, wanted.clients),
    ...surplusOf(registered.clients.map(({ clientId }) => clientId), wanted.clients.map(({ clientId }) => clientId))
  }
  assertFuture(clients.changed, now)
  const wantedRoles = wanted.roles ?? registered.roles
  const roles = {
    ...comparedRoles(registered.roles, wantedRoles),
    ...surplusOf(registered.roles.map(({ name }) => name), wantedRoles.map(({ name }) => name))
  }
  if (roles.added.length > 0 && wantedRoles.length + roles.kept.length > MAX_ROLES) throw tooManyRoles()
  return { clients, roles }
}

function assertFuture (changed: readonly Change[], now: Date): void {
  const faults = changed.flatMap(({ clientId, fields: { implicit } }) => {
    const reason = implicit === undefined ? null : whyNotFuture(parsePolicy(String(implicit.to)), now)
    return reason === null ? [] : [{ field: 'implicit', sentence: `${quote(clientId)}: implicit: ${reason}` }]
  })
  if (faults.length > 0) throw new Refusal('invalid', faults)
}

function comparedClients (registered: readonly ClientEntry[], wanted: readonly ClientEntry[]) {
  const before = new Map(registered.map(entry => [entry.clientId, entry]))
  const compared = wanted.map(entry => ({ clientId: entry.clientId, fields: differencesOf(before.get(entry.clientId), entry) }))
  const differs = ({ fields }: Change) => Object.keys(fields).length > 0
  const known = compared.filter(({ clientId }) => before.has(clientId))
  return {
    added: compared.map(({ clientId }) => clientId).filter(id => !before.has(id)),
    changed: known.filter(differs),
    unchanged: known.filter(it => !differs(it)).map(({ clientId }) => clientId)
  }
}

function comparedRoles (present: readonly RoleEntry[], wanted: readonly RoleEntry[]) {
  const before = new Map(present.map(role => [role.name, describeRole(role)]))
  return {
    added: wanted.filter(({ name }) => !before.has(name)),
    changed: wanted.flatMap(role => {
      const from = before.get(role.name)
      return from === undefined || from === describeRole(role) ? [] : [{ ...role, from }]
    })
  }
}
