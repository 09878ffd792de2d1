import type { Operation } from '../stores/operations/operations.js'
import { pageParameters, type Page } from './page-query.js'
import { parseQuery } from './query.js'

/** The place of an operation in the list. */
type Place = Pick<Operation, 'at' | 'id'>

const page = pageParameters(parseCursor)

/** Parses the query of a list of operations. @throws ProblemError `query-invalid` with every invalid parameter */
export function parseOperationsQuery (text: string): Page<Place> {
  return page.read(parseQuery(text, page.checks))
}

/** Encodes the cursor of the page after an operation. */
export function formatOperationsCursor ({ at, id }: Place): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url')
}

function parseCursor (cursor: string): Place | undefined {
  const [, time, id] = /^([0-9]{1,15}) ([\w-]{22})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return time === undefined || id === undefined ? undefined : { at: new Date(Number(time)), id }
}
