import { parseJson } from '@frontdesk/service-kit/json'
import { MAX_INTEGER, MIN_INTEGER } from '@frontdesk/schemas/customer'
import { hash } from 'node:crypto'
import type { Position, SortKey } from '../stores/search/query.js'

/** The end of the year 9999, in milliseconds since 1970. */
const LAST_TIME = 253402300799999

/**
 * Encodes the start of a page: opaque, but not secret.
 * @param list the sort and the filters; the cursor is invalid for others
 */
export function formatCursor (position: Position, list: string): string {
  const { id, key = null, tier = 0 } = position
  return Buffer.from(JSON.stringify([digest(list), id, key, tier])).toString('base64url')
}

/** Decodes a cursor; `undefined` if it is not one of this list. */
export function parseCursor (cursor: string, sort: SortKey, list: string): Position | undefined {
  const parts = parseJson(Buffer.from(cursor, 'base64url').toString())
  if (!Array.isArray(parts)) return undefined
  const [, id, key, tier]: unknown[] = parts
  if (!isWhole(id, MIN_INTEGER, MAX_INTEGER) || !isKey(key, sort) || !isWhole(tier, 0, 2)) return undefined
  const position = { id, ...key === null ? {} : { key }, ...tier === 0 ? {} : { tier } }
  return formatCursor(position, list) === cursor ? position : undefined
}

function isKey (key: unknown, sort: SortKey): key is NonNullable<Position['key']> | null {
  switch (sort) {
    case 'id': return key === null
    case 'age': return isWhole(key, MIN_INTEGER, MAX_INTEGER)
    case 'updated': return isWhole(key, 0, LAST_TIME)
    default: return typeof key === 'string' && !/[\p{Cc}\p{Cs}]/u.test(key)
  }
}

function isWhole (value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

function digest (list: string): string {
  return hash('sha256', list, 'base64url').slice(0, 8)
}
