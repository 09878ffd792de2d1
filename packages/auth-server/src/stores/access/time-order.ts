import { raw, sql, type Sql } from '@frontdesk/database/sql'

/** The orders of a list that is sorted by when rows were added. */
export const timeOrders = ['newest', 'oldest'] as const
export type TimeOrder = typeof timeOrders[number]

/** A row in such a list. */
interface Placed { readonly id: string, readonly createdAt: Date }

/** The form of a cursor. PostgreSQL reads no year 0, and none of more than four digits. */
const CURSOR = /^([12]\d{3}-\d\d-\d\dT\S+Z) (.+)$/s

/** A cursor after a row, for the next page of such a list. */
export function cursorOf ({ id, createdAt }: Placed): string {
  return `${createdAt.toISOString()} ${id}`
}

/** SQL condition and order of such a list, which the index on both columns serves. @param after a cursor */
export function inTimeOrder (order: TimeOrder, after: string | undefined): { readonly where: Sql, readonly orderBy: Sql } {
  const [sign, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC']
  const orderBy = raw(`created_at ${direction}, id ${direction}`)
  const [, time = '', id = ''] = CURSOR.exec(after ?? '') ?? []
  const createdAt = new Date(time)
  if (Number.isNaN(createdAt.getTime())) return { where: sql`true`, orderBy }
  return { where: sql`(created_at, id) ${raw(sign!)} (${createdAt}, ${id})`, orderBy }
}
