import { isSelfRegistered } from '../../oauth/identity.js'
import { escapeUnshowable, quote } from '../text.js'
import type { Stores } from '../../stores/stores.js'
import { confirm } from '../confirm.js'
import { hasSecret } from '../../registration/credentials.js'
import { warnOfPkce } from '../client/optional-pkce.js'
import { parsePolicy, whyNotFuture } from '../client/implicit-policy.js'
import { print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { CommandError, assertNone } from '../command-error.js'
import { makeStores, readStores } from '../with-stores.js'
import type { ClientEntry } from './clients-file.js'
import { clientOf, entryOf } from './entry.js'
import { describePlan, plan, type Plan } from './plan.js'
import { readClients } from './read-clients.js'

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
  const wanted = readClients(file)
  const open = diff ? readStores : makeStores
  await open(async stores => {
    // An app that registered itself is adopted if the file has it, and else not touched.
    const registered = (await stores.clients.list()).filter(app => !isSelfRegistered(app))
    const todo = plan(registered.map(entryOf), wanted)
    const { added, changed, surplus, unchanged } = todo
    const removed = prune ? surplus : []
    assertFuture(todo, stores.clock.now())
    if (!diff) {
      await confirmRemoval(removed, registered.length, yes)
      await apply(stores, wanted, todo, removed)
    }
    const withoutSecret = await findWithoutSecret(stores, wanted)
    const counts = [[added, 'added'], [changed, 'changed'], [removed, 'removed'], [unchanged, 'unchanged']] as const
    const summary = `${diff ? 'Would be: ' : ''}${counts.map(([ids, word]) => `${ids.length} ${word}`).join(', ')}.`
    const rest = prune || surplus.length === 0 ? [] : [`Not in the file, and kept without --prune: ${surplus.join(', ')}.`]
    const secrets = withoutSecret.map(id => `The app ${quote(id)} has no secret yet. To make one: frontdesk-auth client secret add ${id}`)
    const withoutPkce = wanted.filter(({ pkce }) => pkce === 'optional')
      .map(({ clientId, pkce }) => `The app ${quote(clientId)}:${warnOfPkce({ pkce }).replace('\n', ' ')}`)
    print(
      options,
      { added, changed, removed, unchanged, withoutSecret, applied: !diff },
      [...describePlan(todo, prune), summary, ...rest, ...secrets, ...withoutPkce].join('\n')
    )
  })
}

/** @throws CommandError unless `yes` or a person at the terminal confirms the removal */
async function confirmRemoval (removed: readonly string[], registered: number, yes: true | number | undefined): Promise<void> {
  const count = removed.length
  if (typeof yes === 'number' && yes !== count) {
    throw new CommandError(`--yes=${yes} was given, but ${count} would be removed. Nothing was changed.`)
  }
  if (count === 0 || typeof yes === 'number') return
  if (count === registered) {
    throw new CommandError(`This would remove every registered app (${count}). If that is what you want, pass the number: --yes=${count}`)
  }
  if (yes) return
  await confirm(`Remove ${count === 1 ? 'the app' : `${count} apps:`} ${escapeUnshowable(removed.join(', '))} for good?`)
}

async function apply (stores: Stores, wanted: readonly ClientEntry[], { added, changed }: Plan, removed: readonly string[]): Promise<void> {
  const now = stores.clock.now()
  const registered = await stores.clients.list()
  const touched = new Set([...added, ...changed.map(({ clientId }) => clientId)])
  const put = wanted.filter(({ clientId }) => touched.has(clientId))
    .map(entry => clientOf(entry, registered.find(({ id }) => id === entry.clientId), now))
  await stores.clients.apply(put, removed)
  for (const clientId of added) await record(stores, 'apply', { clientId, details: { change: 'added' } })
  for (const { clientId, fields } of changed) {
    await record(stores, 'apply', {
      clientId, details: { change: 'changed', fields: Object.keys(fields) }
    })
  }
  for (const clientId of removed) await record(stores, 'apply', { clientId, details: { change: 'removed' } })
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
