import { parse } from 'node:querystring'
import { queryInvalid } from '../problems/list.js'
import { parameters } from './list-parameters.js'

const LIMIT = 50

type Checks = Record<string, (value: string) => string | undefined>

const page: Checks = {
  limit: parameters.limit,
  cursor: value => readCursor(value) === undefined ? 'Is no cursor of this history. Take it from next, unchanged.' : undefined
}

/** What a request asks of a history. */
export interface HistoryRequest { limit: number, before: bigint | undefined }

/** Parses the query of a history. @throws ProblemError `query-invalid` with every parameter that is wrong */
export function parseHistoryQuery (text: string): HistoryRequest {
  const { limit, cursor } = check(parse(text), page)
  return { limit: Number(limit ?? LIMIT), before: cursor === undefined ? undefined : readCursor(cursor) }
}

/** The cursor of the page after a change. */
export function printHistoryCursor (seq: bigint): string {
  return Buffer.from(`${seq}`).toString('base64url')
}

/** The time that a read asks for, by `as_of`; `undefined`: now. Other parameters are ignored. @throws ProblemError `query-invalid` */
export function parseAsOf (text: string): Date | undefined {
  const { as_of: value } = parse(text)
  if (value === undefined) return undefined
  const { as_of: time = '' } = check({ as_of: value }, { as_of: parameters.updated_since })
  return new Date(Date.parse(time.toUpperCase()))
}

/** The error of a time that has not come. */
export function futureError () {
  return queryInvalid('Correct the parameters in errors: as_of.', { members: { errors: [{ field: 'as_of', detail: 'Must not be in the future.' }] } })
}

function readCursor (cursor: string): bigint | undefined {
  const text = Buffer.from(cursor, 'base64url').toString()
  return /^[1-9][0-9]{0,17}$/.test(text) && printHistoryCursor(BigInt(text)) === cursor ? BigInt(text) : undefined
}

function check (given: Record<string, string | string[] | undefined>, checks: Checks): Record<string, string | undefined> {
  const errors = Object.entries(given).flatMap(([field, value]) => {
    const detail = Object.hasOwn(checks, field)
      ? typeof value === 'string' ? checks[field]?.(value) : 'Must be sent once.'
      : `There is no such parameter. There are ${Object.keys(checks).join(', ')}.`
    return detail === undefined ? [] : [{ field, detail }]
  })
  if (errors.length > 0) {
    throw queryInvalid(`Correct the parameters in errors: ${errors.map(({ field }) => field).join(', ')}.`, { members: { errors: errors.slice(0, 32) } })
  }
  // as: each occurs once, as checked above.
  return given as Record<string, string>
}
