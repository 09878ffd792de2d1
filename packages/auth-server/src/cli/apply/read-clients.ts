import { Type, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readFileSync } from 'node:fs'
import { LineCounter, parseDocument } from 'yaml'
import { withoutNulls } from '../../input/without-nulls.js'
import { byName, type Wanted } from '../../admin/apply.js'
import { ClientEntry, complete, sortLists } from '../../admin/client-entry.js'
import { findEntryFaults } from '../../admin/entry-faults.js'
import { CommandError, assertNone } from '@frontdesk/service-kit/cli/errors'
import type { Given } from '../../registration/client-faults.js'
import { whyNotRole } from '../../admin/roles.js'
import { quote } from '@frontdesk/service-kit/showable'
import { ClientsFile, RoleEntry } from '../../admin/clients-file.js'
import { lineFinder, type LineOf } from './lines.js'
import { findShapeFaults, type Fault } from './shape.js'

/**
 * Reads a clients file, YAML or JSON; `-` is standard input.
 * @param schemes private-use ones without a dot that callbacks can have
 * @throws CommandError with every error and its line
 */
export function readClients (file: string, schemes: readonly string[]): Wanted {
  const { value, lineOf } = parse(file)
  const entries = entriesOf(value)
  const faults = [
    ...findShapeFaults(value),
    ...entries.flatMap((entry, index) => findEntryFaults(keepValid(entry), schemes).map(({ field, index: at, sentence }) =>
      ({ path: ['clients', index, field, ...at === undefined ? [] : [at]], sentence }))),
    ...duplicates(entries),
    ...findRoleFaults(value)
  ]
  const lines = faults.map(({ path, sentence }) => ({ line: lineOf(path), sentence: `${prefixOf(path, entries)}${sentence}` }))
  assertNone(...lines.sort((one, other) => one.line - other.line).map(({ line, sentence }) => `${placeOf(file, line)}: ${sentence}`))
  // as: its shape was checked above.
  const { clients, roles } = value as ClientsFile
  const sortScopes = ({ name, scopes }: RoleEntry) => ({ name, scopes: scopes.split(' ').sort().join(' ') })
  return { clients: clients.map(entry => sortLists(complete(entry))), roles: roles?.map(sortScopes).sort(byName) }
}

function parse (file: string): { value: unknown, lineOf: LineOf } {
  const text = attempt(file, () => readFileSync(file === '-' ? 0 : file, 'utf8'))
  const lineCounter = new LineCounter()
  const document = attempt(file, () => parseDocument(text, { uniqueKeys: true, prettyErrors: false, lineCounter }))
  assertNone(
    ...document.errors.map(
      ({ message, pos: [offset] }) => `${placeOf(file, lineCounter.linePos(offset).line)}: This is not YAML. ${message}.`
    )
  )
  // Nested aliases can expand to more than fits into memory.
  return { value: attempt(file, () => withoutNulls(document.toJS({ maxAliasCount: 100 }))), lineOf: lineFinder(document, lineCounter) }
}

/** A location in the format of compilers, which editors can jump to. */
function placeOf (file: string, line: number): string {
  return file === '-' ? `Standard input, line ${line}` : `${file}:${line}`
}

/** The client_id of the entry at a path, to begin a sentence with; empty if there is none. */
function prefixOf ([list, index]: Fault['path'], entries: ReadonlyArray<Record<string, unknown>>): string {
  const clientId = list === 'clients' ? entries[Number(index)]?.clientId : undefined
  return typeof clientId === 'string' ? `${quote(clientId)}: ` : ''
}

function attempt<T> (file: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const name = file === '-' ? 'Standard input' : file
    throw new CommandError(`${name} cannot be read: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  }
}

/** The entries of a file that may be invalid. */
function entriesOf (value: unknown): Array<Record<string, unknown>> {
  // as: any value but undefined and null has properties; this one is checked below.
  const clients = (value as { clients?: unknown } | null)?.clients
  return Array.isArray(clients) ? clients.map(entry => ({ ...entry })) : []
}

/** The fields of an entry. One that does not match the schema is undefined: it already has an error. */
function keepValid (entry: Record<string, unknown>): Given<ClientEntry> {
  return Object.fromEntries(Object.entries<TSchema>(ClientEntry.properties).filter(([name]) => entry[name] !== undefined)
    .map(([name, schema]) => [name, Value.Check(schema, entry[name]) ? entry[name] : undefined]))
}

/** Errors for roles that break a rule or repeat a name. */
function findRoleFaults (value: unknown): Fault[] {
  // as: any value but undefined and null has properties; this one is checked here.
  const roles = (value as { roles?: unknown } | null)?.roles
  if (!Value.Check(Type.Array(RoleEntry), roles)) return []
  const names = roles.map(({ name }) => name)
  return roles.flatMap(({ name, scopes }, index) => {
    const repeated = names.indexOf(name) < index ? 'This role is in the file twice.' : null
    return [repeated, ...Object.values(whyNotRole(name, scopes)).flat()].flatMap(sentence =>
      sentence === null ? [] : [{ path: ['roles', index], sentence }])
  })
}

/** Errors for entries that repeat an earlier client_id. */
function duplicates (entries: ReadonlyArray<Record<string, unknown>>): Fault[] {
  const ids = entries.map(({ clientId }) => clientId)
  return ids.flatMap((id, index) => typeof id === 'string' && ids.indexOf(id) < index
    ? [{ path: ['clients', index, 'clientId'], sentence: 'This client_id is in the file twice.' }]
    : [])
}
