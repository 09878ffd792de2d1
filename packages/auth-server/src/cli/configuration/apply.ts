import type { Stores } from '../../stores/stores.js'
import { print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { withStores } from '../with-stores.js'
import type { ClientEntry } from './clients-file.js'
import { clientOf, entryOf } from './entry.js'
import { describePlan, plan, type Plan } from './plan.js'
import { readClients } from './read.js'

/** What `apply` is told. */
export interface ApplyOptions extends PrintOptions {
  readonly file: string
  readonly diff?: boolean
  readonly prune?: boolean
}

/** Makes the apps those of a file, or says what that would change. @throws Refusal if the file is not as it should be */
export async function applyFile ({ file, diff = false, prune = false, ...options }: ApplyOptions): Promise<void> {
  const wanted = readClients(file)
  await withStores(async stores => {
    const todo = diff ? plan((await stores.clients.list()).map(entryOf), wanted) : await apply(stores, wanted, prune)
    const { added, changed, surplus, unchanged } = todo
    const removed = prune ? surplus : []
    const counts = [[added, 'added'], [changed, 'changed'], [removed, 'removed'], [unchanged, 'as they were']] as const
    const summary = `${diff ? 'Would be: ' : ''}${counts.map(([ids, word]) => `${ids.length} ${word}`).join(', ')}.`
    const rest = prune || surplus.length === 0 ? [] : [`Not in the file, and left alone without --prune: ${surplus.join(', ')}.`]
    print(options, { added, changed, removed, unchanged, applied: !diff }, [...describePlan(todo, prune), summary, ...rest].join('\n'))
  })
}

async function apply (stores: Stores, wanted: readonly ClientEntry[], prune: boolean): Promise<Plan> {
  const now = new Date()
  const there = await stores.clients.list()
  const todo = plan(there.map(entryOf), wanted)
  const touched = new Set([...todo.added, ...todo.changed.map(({ clientId }) => clientId)])
  const put = wanted.filter(({ clientId }) => touched.has(clientId)).map(entry => clientOf(entry, there.find(({ id }) => id === entry.clientId), now))
  const removed = prune ? todo.surplus : []
  await stores.clients.apply(put, removed)
  for (const clientId of todo.added) await record(stores, 'apply', { clientId, details: { change: 'added' } })
  for (const { clientId, fields } of todo.changed) await record(stores, 'apply', { clientId, details: { change: 'changed', fields: Object.keys(fields) } })
  for (const clientId of removed) await record(stores, 'apply', { clientId, details: { change: 'removed' } })
  return todo
}
