import { limits, type Oversized } from '@frontdesk/service-kit/records/record'
import { parseForeignJson } from '@frontdesk/service-kit/json'
import { reason, type Reason, type ReasonKey } from '../../languages/reason.js'
import type { ImportedPerson } from '../import-users.js'

/** A user in a file. `left`: what cannot be imported, in words or by its name in the file; without a person, nothing can. */
export interface PersonInFile { readonly person: ImportedPerson | null, readonly left: ReadonlyArray<Reason | string> }

/** A record of a file; `line` is where it begins, as editors count. `fault`: why it is not a user. */
export type FileRecord = { readonly line: number } & (PersonInFile | { readonly fault: Reason })

/** A JSON object, whose members can be anything. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Reads the users among JSON records. @param read reads one @throws UnreadableFile */
export async function * readPeople (
  records: AsyncIterable<{ readonly line: number, readonly json: Buffer } | Oversized>, read: (object: JsonObject) => PersonInFile
): AsyncGenerator<FileRecord> {
  for await (const record of records) {
    const { line } = record
    if ('limit' in record) yield oversized(record)
    else {
      const value = objectOf(parseForeignJson(record.json.toString()))
      yield value === undefined ? { line, fault: reason('record.object') } : { line, ...read(value) }
    }
  }
}

/** The record of one that is too long. */
export function oversized ({ line, limit }: Oversized): FileRecord {
  return { line, fault: reason(limit === 'bytes' ? 'record.too-long' : 'record.too-many-cells', { maximum: limits[limit] }) }
}

/** A value if it is an object, with its members. */
export function objectOf (value: unknown): JsonObject | undefined {
  // as: an object.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as JsonObject : undefined
}

/** The objects of an array; none if it is no array. */
export function objectsOf (value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf).filter(it => it !== undefined) : []
}

/** A value if it is a text that is not empty. */
export function textOf (value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The texts of an array; none if it is no array. */
export function textsOf (value: unknown): string[] {
  return Array.isArray(value) ? value.filter(it => typeof it === 'string') : []
}

/** Names the members that have a value. @param names what to call each */
export function leftOf (object: JsonObject, names: Readonly<Record<string, ReasonKey>>): Reason[] {
  const members = Object.keys(names).filter(member => !isEmpty(object[member]))
  // !: a key of it.
  return [...new Set(members.map(member => names[member]!))].map(name => reason(name))
}

/** Names passwords that cannot be checked, by the algorithm of their hashes. */
export function unreadPasswords (algorithm: string | undefined): Reason {
  return algorithm === undefined ? reason('import.left.passwords-without') : reason('import.left.passwords', { algorithm })
}

function isEmpty (value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A part of a PHC string: base64 without padding. */
export function phcPart (bytes: Buffer | string): string {
  return (typeof bytes === 'string' ? bytes : bytes.toString('base64')).replace(/=+$/, '')
}
