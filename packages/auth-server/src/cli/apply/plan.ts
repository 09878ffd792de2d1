import { styled } from '@frontdesk/service-kit/cli/table'
import { logoOf } from '../../oauth/client-logo.js'
import { describeLogo } from '../client/files.js'
import { showable } from '@frontdesk/service-kit/showable'
import { ClientEntry } from '../../admin/client-entry.js'

/** The fields of an app that change, with their present and their wanted values. */
export interface Change { readonly clientId: string, readonly fields: Record<string, { readonly from: unknown, readonly to: unknown }> }

/** The differences between the registered apps and a file, by client_id. */
export interface Plan {
  readonly added: readonly string[]
  readonly changed: readonly Change[]
  /** Registered, but not in the file: removed with --prune. */
  readonly surplus: readonly string[]
  readonly unchanged: readonly string[]
}

/** Compares the registered apps with the wanted ones. */
export function plan (registered: readonly ClientEntry[], wanted: readonly ClientEntry[]): Plan {
  const before = new Map(registered.map(entry => [entry.clientId, entry]))
  const compared = wanted.map(entry => ({
    clientId: entry.clientId,
    fields: differences(before.get(entry.clientId), entry),
    isNew: !before.has(entry.clientId)
  }))
  const differs = ({ fields }: Change) => Object.keys(fields).length > 0
  return {
    added: compared.filter(({ isNew }) => isNew).map(({ clientId }) => clientId),
    changed: compared.filter(it => !it.isNew && differs(it)).map(({ clientId, fields }) => ({ clientId, fields })),
    surplus: registered.map(({ clientId }) => clientId).filter(id => !wanted.some(({ clientId }) => clientId === id)),
    unchanged: compared.filter(it => !it.isNew && !differs(it)).map(({ clientId }) => clientId)
  }
}

function differences (from: ClientEntry | undefined, to: ClientEntry): Change['fields'] {
  // as: the properties of the schema are the fields of its type.
  const names = Object.keys(ClientEntry.properties) as Array<keyof ClientEntry>
  return Object.fromEntries(names.map(name => [name, { from: from?.[name], to: to[name] }] as const)
    .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)))
}

/** Formats a plan: a line for each app that is added, changed or removed, and for each changed field. */
export function describePlan ({ added, changed, surplus }: Plan, prune: boolean): string[] {
  const show = (name: string, value: unknown) =>
    name === 'logo' && typeof value === 'string' ? shortOf(value) : showable(JSON.stringify(value))
  return [
    ...added.map(id => styled('green', `+ ${id}`)),
    ...changed.flatMap(({ clientId, fields }) => [
      styled('yellow', `~ ${clientId}`),
      ...Object.entries(fields).map(([name, { from, to }]) => `    ${name}: ${show(name, from)} → ${show(name, to)}`)
    ]),
    ...(prune ? surplus.map(id => styled('red', `- ${id}`)) : [])
  ]
}

/** The type of a logo, and its size, in place of thousands of letters. */
function shortOf (url: string): string {
  const logo = logoOf(url)
  return logo === undefined ? '…' : describeLogo(logo)
}
