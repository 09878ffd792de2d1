import { isSelfRegistered } from '../../oauth/identity.js'
import { showable, quote } from '@frontdesk/service-kit/showable'
import type { DesiredRoles } from '../../stores/clients.js'
import type { WrittenRole } from '../../stores/roles.js'
import type { Stores } from '../../stores/stores.js'
import { readSchemes } from '../database.js'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { hasSecret } from '../../registration/credentials.js'
import { warnOfPkce } from '../client/warnings.js'
import { parsePolicy, whyNotFuture } from '../../admin/implicit-policy.js'
import { print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { CommandError, assertNone } from '@frontdesk/service-kit/cli/errors'
import { makeStores, readStores } from '../with-stores.js'
import { clientOf, entryOf, sortLists, type ClientEntry } from '../../admin/client-entry.js'
import type { RoleEntry } from './clients-file.js'
import { describePlan, plan, type Plan } from './plan.js'
import { readClients } from './read-clients.js'
import { describeRolePlan, planRoles, roleEntryOf } from './roles.js'

/** The options of `apply`. */
export interface ApplyOptions extends PrintOptions {
  readonly file: string
  readonly diff?: boolean
  readonly prune?: boolean
  /** A number: how many apps may be removed. */
  readonly yes?: true | number
}

/**
 * Syncs the registered apps with a file, or shows what would change.
 * @throws CommandError if the file is invalid or a removal was not confirmed
 */
export async function applyFile ({ file, diff = false, prune = false, yes, ...options }: ApplyOptions): Promise<void> {
  const { clients: wanted, roles } = readClients(file, await readSchemes())
  const open = diff ? readStores : makeStores
  await open(async stores => {
    // An app that registered itself is adopted if the file has it, and else not touched.
    const registered = (await stores.clients.list()).filter(app => !isSelfRegistered(app))
    const logos = await stores.clientLogos.list()
    const todo = plan(registered.map(app => sortLists(entryOf(app, logos))), wanted)
    const { added, changed, surplus, unchanged } = todo
    const removed = prune ? surplus : []
    const rolePlan = planRoles((await stores.roles.list()).map(roleEntryOf), roles)
    const gone = prune ? rolePlan.surplus : []
    assertFuture(todo, stores.clock.now())
    if (!diff) {
      await confirmRemoval(removed, gone, registered.length, yes)
      const put = [...rolePlan.added, ...rolePlan.changed].map(toRole).sort((one, other) => one.name < other.name ? -1 : 1)
      await apply(stores, wanted, todo, removed, { put, removed: gone })
    }
    const withoutSecret = await findWithoutSecret(stores, wanted)
    const counts = [[added, 'added'], [changed, 'changed'], [removed, 'removed'], [unchanged, 'unchanged']] as const
    const summary = `${diff ? 'Would be: ' : ''}${counts.map(([ids, word]) => `${ids.length} ${word}`).join(', ')}.`
    const kept = [...surplus, ...rolePlan.surplus.map(name => `role ${name}`)]
    const rest = prune || kept.length === 0 ? [] : [`Not in the file, and kept without --prune: ${kept.join(', ')}.`]
    const secrets = withoutSecret.map(id => `The app ${quote(id)} has no secret yet. To make one: frontdesk-auth client secret add ${id}`)
    const withoutPkce = wanted.filter(({ pkce }) => pkce === 'optional')
      .map(({ clientId, pkce }) => `The app ${quote(clientId)}:${warnOfPkce({ pkce }).replace('\n', ' ')}`)
    print(
      options,
      { added, changed, removed, unchanged, withoutSecret, applied: !diff },
      [...describePlan(todo, prune), ...describeRolePlan(rolePlan, prune), summary, ...rest, ...secrets, ...withoutPkce].join('\n')
    )
  })
}

/** @throws CommandError unless `yes` or a person at the terminal confirms the removal */
async function confirmRemoval (
  removed: readonly string[],
  roles: readonly string[],
  registered: number,
  yes: true | number | undefined
): Promise<void> {
  const count = removed.length + roles.length
  if (typeof yes === 'number' && yes !== count) {
    throw new CommandError(`--yes=${yes} was given, but ${count} would be removed. Nothing was changed.`)
  }
  if (count === 0 || typeof yes === 'number') return
  if (removed.length > 0 && removed.length === registered) {
    throw new CommandError(`This would remove every registered app (${removed.length}). If that is what you want, pass the number: --yes=${count}`)
  }
  if (yes) return
  const apps = removed.length === 0 ? [] : [`${removed.length === 1 ? 'the app' : `${removed.length} apps:`} ${removed.join(', ')}`]
  const names = roles.length === 0 ? [] : [`the role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`]
  await confirm(`Remove ${showable([...apps, ...names].join(' and '))} permanently?`)
}

async function apply (
  stores: Stores,
  wanted: readonly ClientEntry[],
  { added, changed }: Plan,
  removed: readonly string[],
  roles: DesiredRoles
): Promise<void> {
  const now = stores.clock.now()
  const registered = await stores.clients.list()
  const touched = new Set([...added, ...changed.map(({ clientId }) => clientId)])
  const put = wanted.filter(({ clientId }) => touched.has(clientId))
    .map(entry => clientOf(entry, registered.find(({ id }) => id === entry.clientId), now))
  await stores.clients.apply(put, removed, roles)
  for (const { name, scopes } of roles.put) await record(stores, 'apply', { details: { role: name, scopes } })
  for (const role of roles.removed) await record(stores, 'apply', { details: { role, change: 'removed' } })
  for (const clientId of added) await record(stores, 'apply', { clientId, details: { change: 'added' } })
  for (const { clientId, fields } of changed) {
    await record(stores, 'apply', {
      clientId, details: { change: 'changed', fields: Object.keys(fields) }
    })
  }
  for (const clientId of removed) await record(stores, 'apply', { clientId, details: { change: 'removed' } })
}

function toRole ({ name, scopes }: RoleEntry): WrittenRole {
  return { name, scopes: scopes.split(' ') }
}

/** Finds the apps in the file that still need a secret: files hold none. */
async function findWithoutSecret ({ clientSecrets }: Stores, wanted: readonly ClientEntry[]): Promise<string[]> {
  const missing: string[] = []
  for (const entry of wanted.filter(hasSecret)) {
    if ((await clientSecrets.list(entry.clientId)).length === 0) missing.push(entry.clientId)
  }
  return missing
}

/**
 * Rejects a past end date of the implicit grant for registered apps: the year may be a typo. New apps keep the dates in
 * the file, so that an old export can be restored.
 * @throws CommandError with a line for each app
 */
function assertFuture ({ changed }: Plan, now: Date): void {
  assertNone(...changed.map(({ clientId, fields: { implicit } }) => {
    if (implicit === undefined) return null
    // as: the field is a string on both sides.
    const reason = whyNotFuture(parsePolicy(implicit.to as string), now)
    return reason && `${quote(clientId)}: implicit: ${reason}`
  }))
}
