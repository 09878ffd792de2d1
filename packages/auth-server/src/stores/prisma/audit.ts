import type { Audit } from '../audit.js'
import { leastTimeId } from '../time-id.js'
import type { Database } from './database.js'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'

/** Rows a statement: more would hold up SQLite for longer than a request may wait. */
const SIZE = 128

/** {@link Audit} in a database. */
export function openAudit (database: Database, connection: Connection): Audit {
  const addition = new ValuesStatement(connection, list => `
    INSERT INTO audit (id, at, event, outcome, user_id, client_id, source, request_id, details) ${list} ON CONFLICT DO NOTHING RETURNING id`,
  ['string', 'datetime', 'string', 'string', 'string', 'string', 'string', 'string', 'string'])
  return {
    async add (rows) {
      const values = rows.map(({ id, at, event, outcome, userId, clientId, source, requestId, details }) =>
        [id, at, event, outcome, userId, clientId, source, requestId, JSON.stringify(details)])
      for (let at = 0; at < values.length; at += SIZE) await addition.run(values.slice(at, at + SIZE))
    },
    async list ({ since, before, ...filter }, limit) {
      // The id holds the time, so that one index serves both the filter and the order.
      const id = { ...(since && { gte: leastTimeId(since) }), ...(before && { lt: before }) }
      const rows = await database.audit.findMany({ where: { ...defined(filter), id }, orderBy: { id: 'desc' }, take: limit })
      return rows.map(row => ({ ...row, details: JSON.parse(row.details) }))
    },
    async sweep (before, limit) {
      return await database.$executeRaw`DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE id < ${leastTimeId(before)} ORDER BY id LIMIT ${limit})`
    }
  }
}

function defined<T extends object> (filter: T): { [K in keyof T]: NonNullable<T[K]> } {
  // as: what is left has values.
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as { [K in keyof T]: NonNullable<T[K]> }
}
