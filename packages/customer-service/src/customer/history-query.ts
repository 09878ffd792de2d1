import { parameters } from './list-query.js'
import { parametersError, parseQuery, type Check } from './query.js'

const DEFAULT_LIMIT = 50

const cursor: Check = value => readCursor(value) === undefined ? 'Is no cursor of this history. Take it from next, unchanged.' : undefined

/** What a request asks of a history. */
interface HistoryRequest { limit: number, before: bigint | undefined }

/** Parses the query of a history. @throws ProblemError `query-invalid` with every parameter that is wrong */
export function parseHistoryQuery (text: string): HistoryRequest {
  const { limit, cursor: after } = parseQuery(text, { limit: parameters.limit, cursor })
  return { limit: Number(limit ?? DEFAULT_LIMIT), before: after === undefined ? undefined : readCursor(after) }
}

/** The cursor of the page after a change. */
export function printHistoryCursor (seq: bigint): string {
  return Buffer.from(`${seq}`).toString('base64url')
}

/** The time that a read asks for. @param value of `as_of`; `undefined`: now @throws ProblemError `query-invalid` */
export function parseAsOf (value: unknown): Date | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw asOfError('Must be sent once.')
  const detail = parameters.updated_since(value)
  if (detail !== undefined) throw asOfError(detail)
  // There was no register before 1970; PostgreSQL has no year 0.
  return new Date(Math.max(0, Date.parse(value.toUpperCase())))
}

/** The error of a time that has not come. */
export function futureError () {
  return asOfError('Must not be in the future.')
}

function asOfError (detail: string) {
  return parametersError([{ field: 'as_of', detail }])
}

function readCursor (cursor: string): bigint | undefined {
  const text = Buffer.from(cursor, 'base64url').toString()
  return /^[1-9][0-9]{0,17}$/.test(text) && printHistoryCursor(BigInt(text)) === cursor ? BigInt(text) : undefined
}
