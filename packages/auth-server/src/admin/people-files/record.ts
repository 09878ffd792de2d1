import type { Oversized } from '@frontdesk/service-kit/records/record'
import { parseForeignJson } from '@frontdesk/service-kit/json'
import type { ImportedPerson } from '../import-users.js'

/** A user in a file. `left`: what cannot be imported, in words; without a person, nothing can. */
export interface PersonInFile { readonly person: ImportedPerson | null, readonly left: readonly string[] }

/** A record of a file; `line` is where it begins, as editors count. `fault`: why it is not a user, in a sentence. */
export type FileRecord = { readonly line: number } & (PersonInFile | { readonly fault: string })

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
      yield value === undefined ? { line, fault: 'The record must be a JSON object.' } : { line, ...read(value) }
    }
  }
}

/** The record of one that is too long. */
export function oversized ({ line, limit }: Oversized): FileRecord {
  return { line, fault: `The record must have at most ${limit}.` }
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
export function leftOf (object: JsonObject, names: Readonly<Record<string, string>>): string[] {
  return Object.entries(names).flatMap(([member, name]) => isEmpty(object[member]) ? [] : [name])
}

function isEmpty (value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A part of a PHC string: base64 without padding. */
export function phcPart (bytes: Buffer | string): string {
  return (typeof bytes === 'string' ? bytes : bytes.toString('base64')).replace(/=+$/, '')
}
