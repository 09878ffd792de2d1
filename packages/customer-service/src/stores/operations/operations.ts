import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, raw, sql } from '@frontdesk/database/sql'
import { columnNames } from '@frontdesk/database/table'
import { operation } from '../../generated/tables.js'

/** Many changes by one caller. */
export type Operation = Row<typeof operation.columns>

export function openOperations (connection: Connection) {
  return {
    /** Lists operations, newest first. @param before only those after this one in the list */
    async list (limit: number, before?: Pick<Operation, 'at' | 'id'>): Promise<Operation[]> {
      return await query(connection, operation.columns, sql`
        SELECT ${raw(columnNames(operation.columns))} FROM operation
        ${before === undefined ? raw('') : sql`WHERE (at, id) < (${before.at}, ${before.id})`} ORDER BY at DESC, id DESC LIMIT ${limit}`)
    }
  }
}
