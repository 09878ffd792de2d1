import { quote } from '@frontdesk/service-kit/showable'
import { Type, type TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import { setImmediate } from 'node:timers/promises'
import type { Given } from '../registration/client-faults.js'
import { ClientEntry } from './client-entry.js'
import { RoleEntry } from './clients-file.js'
import { findEntryFaults } from './entry-faults.js'
import { whyNotRole } from './roles.js'

/** An error at a path of a clients file. */
export interface FileFault { readonly path: ReadonlyArray<string | number>, readonly sentence: string }

/** Entries that are checked before the server's other requests get a turn. */
const BATCH_SIZE = 50

/**
 * Finds the rules that a clients file breaks, except those of its schema.
 * @param value a parsed file, of any shape: what does not match the schema is skipped
 * @param schemes private-use URI schemes without a dot that callbacks can use
 */
export async function findFileFaults (value: unknown, schemes: readonly string[]): Promise<FileFault[]> {
  const [entries, faults] = [entriesOf(value), new Array<FileFault>()]
  const whole = TypeCompiler.Compile(ClientEntry)
  for (const [index, entry] of entries.entries()) {
    if (index % BATCH_SIZE === BATCH_SIZE - 1) await setImmediate()
    const given: Given<ClientEntry> = whole.Check(entry) ? entry : keepValid(entry)
    for (const { field, index: at, sentence } of findEntryFaults(given, schemes)) {
      faults.push({ path: ['clients', index, field, ...at === undefined ? [] : [at]], sentence })
    }
  }
  return [...faults, ...duplicates(entries), ...findRoleFaults(value)]
}

/** The sentence of an error, after the client_id of its entry. */
export function sentenceOf ({ path: [list, index], sentence }: FileFault, value: unknown): string {
  // Not from a copy of the entries: a file can have many errors.
  const clientId: unknown = list === 'clients' ? Object(Object(Object(value).clients)[Number(index)]).clientId : undefined
  return typeof clientId === 'string' ? `${quote(clientId)}: ${sentence}` : sentence
}

/** The entries of a file that may be invalid. */
function entriesOf (value: unknown): Array<Record<string, unknown>> {
  // as: any value but undefined and null has properties; this one is checked below.
  const clients = (value as { clients?: unknown } | null)?.clients
  return Array.isArray(clients) ? clients.map(entry => ({ ...entry })) : []
}

/** The fields of an entry. A field that does not match the schema is undefined: it already has an error. */
function keepValid (entry: Record<string, unknown>): Given<ClientEntry> {
  return Object.fromEntries(Object.entries<TSchema>(ClientEntry.properties).filter(([name]) => entry[name] !== undefined)
    .map(([name, schema]) => [name, Value.Check(schema, entry[name]) ? entry[name] : undefined]))
}

/** Errors for roles that break a rule or repeat a name. */
function findRoleFaults (value: unknown): FileFault[] {
  // as: any value but undefined and null has properties; this one is checked here.
  const roles = (value as { roles?: unknown } | null)?.roles
  if (!Value.Check(Type.Array(RoleEntry), roles)) return []
  const seen = new Set<string>()
  return roles.flatMap(({ name, scopes }, index) => {
    const repeated = seen.has(name) ? 'This role is in the file twice.' : null
    seen.add(name)
    return [repeated, ...Object.values(whyNotRole(name, scopes)).flat()].flatMap(why =>
      why === null ? [] : [{ path: ['roles', index], sentence: String(why) }])
  })
}

/** Errors for entries that repeat an earlier client_id. */
function duplicates (entries: ReadonlyArray<Record<string, unknown>>): FileFault[] {
  const seen = new Set<unknown>()
  return entries.flatMap(({ clientId }, index) => {
    const isRepeated = typeof clientId === 'string' && seen.has(clientId)
    seen.add(clientId)
    return isRepeated ? [{ path: ['clients', index, 'clientId'], sentence: 'This client_id is in the file twice.' }] : []
  })
}
