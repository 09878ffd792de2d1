import type { Operation } from '../stores/operations/operations.js'
import { parameters } from './list-query.js'
import { parseQuery, type Check } from './query.js'

const DEFAULT_LIMIT = 50

/** The place of an operation in the list. */
type Place = Pick<Operation, 'at' | 'id'>

const cursor: Check = value =>
  parseCursor(value) === undefined ? { detail: 'Is not a cursor of this list. Send next of a page unchanged.' } : undefined

/** Parses the query of a list of operations. @throws ProblemError `query-invalid` with every invalid parameter */
export function parseOperationsQuery (text: string): { limit: number, before: Place | undefined } {
  const { limit, cursor: after } = parseQuery(text, { limit: parameters.limit, cursor })
  return { limit: Number(limit ?? DEFAULT_LIMIT), before: after === undefined ? undefined : parseCursor(after) }
}

/** Encodes the cursor of the page after an operation. */
export function formatOperationsCursor ({ at, id }: Place): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url')
}

function parseCursor (cursor: string): Place | undefined {
  const [, time, id] = /^([0-9]{1,15}) ([\w-]{22})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return time === undefined || id === undefined ? undefined : { at: new Date(Number(time)), id }
}
