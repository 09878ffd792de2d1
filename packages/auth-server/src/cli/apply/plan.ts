import { styled } from '../print.js'
import { escapeUnshowable } from '../text.js'
import { ClientEntry } from './clients-file.js'

/** What differs of an app: for each field what it is and what it is to be. */
export interface Change { readonly clientId: string, readonly fields: Record<string, { readonly from: unknown, readonly to: unknown }> }

/** What has to happen so that there is what is wanted. */
export interface Plan {
  readonly added: readonly string[]
  readonly changed: readonly Change[]
  /** There and not wanted: removed if that was asked for. */
  readonly surplus: readonly string[]
  readonly unchanged: readonly string[]
}

/** Compares what is there with what is wanted. */
export function plan (there: readonly ClientEntry[], wanted: readonly ClientEntry[]): Plan {
  const before = new Map(there.map(entry => [entry.clientId, entry]))
  const compared = wanted.map(entry => ({ clientId: entry.clientId, fields: differences(before.get(entry.clientId), entry), isNew: !before.has(entry.clientId) }))
  const differs = ({ fields }: Change) => Object.keys(fields).length > 0
  return {
    added: compared.filter(({ isNew }) => isNew).map(({ clientId }) => clientId),
    changed: compared.filter(it => !it.isNew && differs(it)).map(({ clientId, fields }) => ({ clientId, fields })),
    surplus: there.map(({ clientId }) => clientId).filter(id => !wanted.some(({ clientId }) => clientId === id)),
    unchanged: compared.filter(it => !it.isNew && !differs(it)).map(({ clientId }) => clientId)
  }
}

function differences (from: ClientEntry | undefined, to: ClientEntry): Change['fields'] {
  // as: TypeBox has them by name.
  const names = Object.keys(ClientEntry.properties) as Array<keyof ClientEntry>
  return Object.fromEntries(names.map(name => [name, { from: from?.[name], to: to[name] }] as const)
    .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)))
}

/** The plan for people: what is added, changed and removed, a line each, with each field that changes. */
export function describePlan ({ added, changed, surplus }: Plan, prune: boolean): string[] {
  const show = (value: unknown) => escapeUnshowable(JSON.stringify(value))
  return [
    ...added.map(id => styled('green', `+ ${id}`)),
    ...changed.flatMap(({ clientId, fields }) => [styled('yellow', `~ ${clientId}`), ...Object.entries(fields).map(([name, { from, to }]) => `    ${name}: ${show(from)} → ${show(to)}`)]),
    ...(prune ? surplus.map(id => styled('red', `- ${id}`)) : [])
  ]
}
