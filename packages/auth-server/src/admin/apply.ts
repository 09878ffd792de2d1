import { quote } from '@frontdesk/service-kit/showable'
import { isSelfRegistered } from '../oauth/identity.js'
import { hasSecret } from '../registration/credentials.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { eventOf, type About } from './audit.js'
import { clientOf, differencesOf, entryOf, sortLists, type ClientEntry, type FieldDifferences } from './client-entry.js'
import type { RoleEntry } from './clients-file.js'
import { parsePolicy, whyNotFuture } from './implicit-policy.js'
import { Refusal } from './refusal.js'

type ApplyStores = Pick<Stores, 'clients' | 'recorded' | 'clientLogos' | 'roles' | 'clock'>

/** The content of a clients file, in the form of {@link sortLists}. */
export interface Wanted {
  readonly clients: readonly ClientEntry[]
  /** By name; `undefined`: the file has none, so roles are not changed. */
  readonly roles: readonly RoleEntry[] | undefined
}

/** The changed fields of a client, with their current and new values. */
interface Change { readonly clientId: string, readonly fields: FieldDifferences }

/** The differences between clients or roles and a file. */
interface Differences<Added, Changed> {
  readonly added: readonly Added[]
  readonly changed: readonly Changed[]
  /** Not in the file: removed with `prune`. */
  readonly surplus: readonly string[]
}

/** The differences between the registered clients and roles, and a file. */
export interface Plan {
  readonly clients: Differences<string, Change> & { readonly unchanged: readonly string[], readonly registered: number }
  readonly roles: Differences<RoleEntry, RoleEntry & { readonly from: string }>
}

/** The clients that operators registered and the roles, in the format of a clients file. */
export async function readRegistered (
  { clients, clientLogos, roles }: ApplyStores
): Promise<{ clients: ClientEntry[], roles: RoleEntry[] }> {
  const logos = await clientLogos.list()
  return {
    clients: (await clients.list()).filter(client => !isSelfRegistered(client)).map(client => sortLists(entryOf(client, logos))),
    roles: (await roles.list()).map(({ name, scopes }) => ({ name, scopes: scopes.join(' ') }))
  }
}

/**
 * Compares the clients and roles with a file. Adopts self-registered clients that are in the file; others stay unchanged.
 * @throws Refusal with a fault for each registered client whose new end date of the implicit grant has passed: the year may be a typo.
 *   New clients keep the dates of the file, so that an old export can be restored
 */
export async function planApply (stores: ApplyStores, wanted: Wanted): Promise<Plan> {
  const registered = await readRegistered(stores)
  const clients = comparedClients(registered.clients, wanted.clients)
  assertFuture(clients.changed, stores.clock.now())
  return { clients, roles: comparedRoles(registered.roles, wanted.roles) }
}

/** Applies a plan, all or nothing. @param prune also removes what is not in the file @throws Refusal */
export async function apply (
  stores: ApplyStores, wanted: Wanted, { plan, prune }: { plan: Plan, prune: boolean }, by: Actor
): Promise<void> {
  const [now, registered] = [stores.clock.now(), await stores.clients.list()]
  const { clients: { added, changed }, roles } = plan
  const touched = new Set([...added, ...changed.map(({ clientId }) => clientId)])
  const put = wanted.clients.filter(({ clientId }) => touched.has(clientId))
    .map(entry => clientOf(entry, registered.find(({ id }) => id === entry.clientId), now))
  const [removed, removedRoles] = prune ? [plan.clients.surplus, roles.surplus] : [[], []]
  const putRoles = [...roles.added, ...roles.changed].sort(byName).map(({ name, scopes }) => ({ name, scopes: scopes.split(' ') }))
  const events: About[] = [
    ...putRoles.map(({ name, scopes }) => ({ details: { role: name, scopes } })),
    ...removedRoles.map(role => ({ details: { role, change: 'removed' } })),
    ...added.map(clientId => ({ clientId, details: { change: 'added' } })),
    ...changed.map(({ clientId, fields }) => ({ clientId, details: { change: 'changed', fields: Object.keys(fields) } })),
    ...removed.map(clientId => ({ clientId, details: { change: 'removed' } }))
  ]
  await stores.recorded(() => events.map(about => eventOf(stores.clock, 'apply', about, by)))
    .clients.apply(put, removed, { put: putRoles, removed: removedRoles })
}

/** The clients of a file that need a secret and have none: files contain no secrets. */
export async function findWithoutSecret ({ clientSecrets }: Pick<Stores, 'clientSecrets'>, { clients }: Wanted): Promise<string[]> {
  const owners = await clientSecrets.owners()
  return clients.filter(entry => hasSecret(entry) && !owners.has(entry.clientId)).map(({ clientId }) => clientId)
}

/** Compares roles by name. */
export function byName (one: RoleEntry, other: RoleEntry): number {
  return one.name < other.name ? -1 : 1
}

function assertFuture (changed: readonly Change[], now: Date): void {
  const faults = changed.flatMap(({ clientId, fields: { implicit } }) => {
    const reason = implicit === undefined ? null : whyNotFuture(parsePolicy(String(implicit.to)), now)
    return reason === null ? [] : [{ field: 'implicit', sentence: `${quote(clientId)}: implicit: ${reason}` }]
  })
  if (faults.length > 0) throw new Refusal('invalid', faults)
}

function comparedClients (registered: readonly ClientEntry[], wanted: readonly ClientEntry[]): Plan['clients'] {
  const before = new Map(registered.map(entry => [entry.clientId, entry]))
  const compared = wanted.map(entry => ({ clientId: entry.clientId, fields: differencesOf(before.get(entry.clientId), entry) }))
  const differs = ({ fields }: Change) => Object.keys(fields).length > 0
  const known = compared.filter(({ clientId }) => before.has(clientId))
  return {
    added: compared.map(({ clientId }) => clientId).filter(id => !before.has(id)),
    changed: known.filter(differs),
    surplus: [...before.keys()].filter(id => !wanted.some(({ clientId }) => clientId === id)),
    unchanged: known.filter(it => !differs(it)).map(({ clientId }) => clientId),
    registered: registered.length
  }
}

function comparedRoles (present: readonly RoleEntry[], wanted: readonly RoleEntry[] = present): Plan['roles'] {
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
