import { escapeUnshowable, quote } from '../text.js'
import type { Stores } from '../../stores/stores.js'
import { confirm } from '../confirm.js'
import { hasSecret } from '../client/grants.js'
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

/** Syncs the registered apps with a file, or shows what that would change. @throws CommandError if the file is wrong, or the removal of apps was not confirmed */
export async function applyFile ({ file, diff = false, prune = false, yes, ...options }: ApplyOptions): Promise<void> {
  const wanted = readClients(file)
  const open = diff ? readStores : makeStores
  await open(async stores => {
    const there = await stores.clients.list()
    const todo = plan(there.map(entryOf), wanted)
    const { added, changed, surplus, unchanged } = todo
    const removed = prune ? surplus : []
    assertFuture(todo)
    if (!diff) {
      await agree(removed, there.length, yes)
      await apply(stores, wanted, todo, removed)
    }
    const withoutSecret = await findWithoutSecret(stores, wanted)
    const counts = [[added, 'added'], [changed, 'changed'], [removed, 'removed'], [unchanged, 'unchanged']] as const
    const summary = `${diff ? 'Would be: ' : ''}${counts.map(([ids, word]) => `${ids.length} ${word}`).join(', ')}.`
    const rest = prune || surplus.length === 0 ? [] : [`Not in the file, and kept without --prune: ${surplus.join(', ')}.`]
    const secrets = withoutSecret.map(id => `The app ${quote(id)} has no secret yet. To make one: frontdesk-auth client secret add ${id}`)
    const withoutPkce = wanted.filter(({ pkce }) => pkce === 'optional').map(({ clientId, pkce }) => `The app ${quote(clientId)}:${warnOfPkce({ pkce }).replace('\n', ' ')}`)
    print(options, { added, changed, removed, unchanged, withoutSecret, applied: !diff }, [...describePlan(todo, prune), summary, ...rest, ...secrets, ...withoutPkce].join('\n'))
  })
}

/** @throws CommandError unless `yes`, or a person at the terminal, agrees that these apps are removed */
async function agree (removed: readonly string[], registered: number, yes: true | number | undefined): Promise<void> {
  const count = removed.length
  if (typeof yes === 'number' && yes !== count) throw new CommandError(`--yes=${yes} was given, but ${count} would be removed. Nothing was changed.`)
  if (count === 0 || typeof yes === 'number') return
  if (count === registered) throw new CommandError(`This would remove every registered app (${count}). If that is what you want, name the number: --yes=${count}`)
  if (yes) return
  await confirm(`Remove ${count === 1 ? 'the app' : `${count} apps:`} ${escapeUnshowable(removed.join(', '))} for good?`)
}

async function apply (stores: Stores, wanted: readonly ClientEntry[], { added, changed }: Plan, removed: readonly string[]): Promise<void> {
  const now = stores.clock.now()
  const there = await stores.clients.list()
  const touched = new Set([...added, ...changed.map(({ clientId }) => clientId)])
  const put = wanted.filter(({ clientId }) => touched.has(clientId)).map(entry => clientOf(entry, there.find(({ id }) => id === entry.clientId), now))
  await stores.clients.apply(put, removed)
  for (const clientId of added) await record(stores, 'apply', { clientId, details: { change: 'added' } })
  for (const { clientId, fields } of changed) await record(stores, 'apply', { clientId, details: { change: 'changed', fields: Object.keys(fields) } })
  for (const clientId of removed) await record(stores, 'apply', { clientId, details: { change: 'removed' } })
}

/** Apps of the file that need a secret and have none: files hold no secrets. */
async function findWithoutSecret ({ clientSecrets }: Stores, wanted: readonly ClientEntry[]): Promise<string[]> {
  const missing: string[] = []
  for (const entry of wanted.filter(hasSecret)) {
    if ((await clientSecrets.list(entry.clientId)).length === 0) missing.push(entry.clientId)
  }
  return missing
}

/**
 * An app that is registered must not lose the implicit grant by a date that has passed: the year may be mistyped. Apps
 * that are added keep the dates of the file, so that an old export can be restored.
 * @throws CommandError that names each
 */
function assertFuture ({ changed }: Plan, now = new Date()): void {
  assertNone(...changed.map(({ clientId, fields: { implicit } }) => {
    if (implicit === undefined) return null
    // as: the field holds such a text on both sides.
    const reason = whyNotFuture(parsePolicy(implicit.to as string), now)
    return reason && `${quote(clientId)}: implicit: ${reason}`
  }))
}
