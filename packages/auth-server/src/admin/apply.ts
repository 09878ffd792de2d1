import { hasSecret } from '../registration/credentials.js'
import type { Desired, Registered } from '../stores/clients/clients.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { eventOf, type About, type Recording } from './audit.js'
import { audited, clientOf, type ClientEntry } from './client-entry.js'
import { byName, roleOf, type RoleEntry, type Wanted } from './clients-file.js'
import { entriesOf, planOf, type Plan } from './plan.js'
import { assertMayChangeClient } from './rights.js'

/** Stores of the registered clients and roles. */
export type ApplyStores = Pick<Stores, 'clients' | 'clientLogos' | 'roles'>

interface Options {
  /** Whether to remove what is not in the file. */
  readonly prune: boolean
  /** Called with the plan before it is applied, and again on a retry. If it throws, nothing changes. */
  readonly check?: ((plan: Plan) => void) | undefined
}

/** The clients that operators registered and the roles, in the format of a clients file. */
export async function readRegistered (stores: ApplyStores): Promise<{ clients: ClientEntry[], roles: RoleEntry[] }> {
  return entriesOf(await read(stores))
}

/**
 * Compares the clients and roles with a file. Adopts self-registered clients that are in the file; others stay unchanged.
 * @throws Refusal with a fault for each registered client whose new end date of the implicit grant has passed, or if the actor cannot
 *   change one of the clients
 */
export async function planApply (
  stores: ApplyStores & Pick<Stores, 'clock'>, wanted: Wanted, { prune }: Pick<Options, 'prune'>, by: Actor
): Promise<Plan> {
  return decide(await read(stores), wanted, { prune, now: stores.clock.now(), by }).plan
}

/** Syncs the clients and roles with a file in one transaction. @returns what it did @throws Refusal as {@link planApply} */
export async function apply (stores: Recording, wanted: Wanted, { prune, check }: Options, by: Actor): Promise<Plan> {
  let done: Plan | undefined
  const rows = () => done === undefined ? [] : eventsOf(done).map(about => eventOf(stores.clock, 'apply', about, by))
  const { clients } = stores.recorded(rows, by.kind === 'shell' ? undefined : by)
  await clients.apply(registered => {
    const { plan, desired } = decide(registered, wanted, { prune, now: stores.clock.now(), by })
    check?.(plan)
    done = plan
    return desired
  })
  // as: the transaction has called it.
  return done as unknown as Plan
}

/** The clients of a file that need a secret and have none: files contain no secrets. */
export async function findWithoutSecret ({ clientSecrets }: Pick<Stores, 'clientSecrets'>, { clients }: Wanted): Promise<string[]> {
  const owners = await clientSecrets.owners()
  return clients.filter(entry => hasSecret(entry) && !owners.has(entry.clientId)).map(({ clientId }) => clientId)
}

async function read ({ clients, clientLogos, roles }: ApplyStores): Promise<Registered> {
  return { clients: await clients.list(), logos: await clientLogos.list(), roles: await roles.list() }
}

interface Decision { readonly plan: Plan, readonly desired: Desired }

/** @throws Refusal */
function decide (
  registered: Registered, wanted: Wanted, { prune, now, by }: { readonly prune: boolean, readonly now: Date, readonly by: Actor }
): Decision {
  const plan = planOf(entriesOf(registered), wanted, { prune, now })
  const before = new Map(registered.clients.map(client => [client.id, client]))
  const touched = new Set([...plan.clients.added, ...plan.clients.changed.map(({ clientId }) => clientId)])
  const entries = wanted.clients.filter(({ clientId }) => touched.has(clientId))
  const changing = [...touched, ...plan.clients.removed].flatMap(id => before.get(id) ?? [])
  assertMayChangeClient(by, ...entries, ...changing)
  const putRoles = [...plan.roles.added, ...plan.roles.changed].sort(byName)
  return {
    plan,
    desired: {
      put: entries.map(entry => clientOf(entry, before.get(entry.clientId), now)),
      removed: plan.clients.removed,
      putRoles: putRoles.map(roleOf),
      removedRoles: plan.roles.removed
    }
  }
}

/** The events of a plan, for the audit trail. */
function eventsOf ({ clients, roles }: Plan): About[] {
  return [
    ...[...roles.added, ...roles.changed].sort(byName).map(roleOf).map(({ name: role, ...fields }) => ({ details: { role, ...fields } })),
    ...roles.removed.map(role => ({ details: { role, change: 'removed' } })),
    ...clients.added.map(clientId => ({ clientId, details: { change: 'added' } })),
    ...clients.changed.map(({ clientId, fields }) =>
      ({ clientId, details: { change: 'changed', fields: Object.keys(fields), ...audited(fields) } })),
    ...clients.removed.map(clientId => ({ clientId, details: { change: 'removed' } }))
  ]
}
