import type { Violation } from '@frontdesk/schemas/field-error'
import type { RemovedQuery } from '../stores/changes/removed.js'
import { parseMeaning } from '../stores/search/meaning.js'
import { parameters } from './list-query.js'
import { pageParameters, type Page } from './page-query.js'
import { parametersError, parseQuery } from './query.js'

const page = pageParameters(parseCursor)

/** Parses the query of a history. @throws ProblemError `query-invalid` with every invalid parameter */
export function parseHistoryQuery (text: string): Page<bigint> {
  return page.read(parseQuery(text, page.checks))
}

/** Parses the query of the removed customers. @throws ProblemError `query-invalid` with every invalid parameter */
export function parseRemovedQuery (text: string): RemovedQuery {
  const { q, ...values } = parseQuery(text, { q: parameters.q, ...page.checks })
  const { limit, place: before } = page.read(values)
  return { limit, before, ...q === undefined ? { words: [] } : parseMeaning(q) }
}

/** Encodes the cursor of the page after a change. */
export function formatHistoryCursor (seq: bigint): string {
  return Buffer.from(`${seq}`).toString('base64url')
}

/** Parses `as_of`; `undefined`: now. @throws ProblemError `query-invalid` */
export function parseAsOf (value: unknown): Date | undefined {
  if (value === undefined) return undefined
  const text = typeof value === 'string' ? value : ''
  const violation = Array.isArray(value) ? { detail: 'Must be sent once.' } : parameters.updated_since(text)
  if (violation !== undefined) throw asOfError(violation)
  // PostgreSQL has no year 0, and no customer is older than 1970.
  return new Date(Math.max(0, Date.parse(text.toUpperCase())))
}

/** Makes the error for an `as_of` in the future. */
export function futureError () {
  return asOfError({ detail: 'Must not be in the future.' })
}

function asOfError (violation: Violation) {
  return parametersError([{ field: 'as_of', ...violation }])
}

function parseCursor (cursor: string): bigint | undefined {
  const text = Buffer.from(cursor, 'base64url').toString()
  return /^[1-9][0-9]{0,17}$/.test(text) && formatHistoryCursor(BigInt(text)) === cursor ? BigInt(text) : undefined
}
