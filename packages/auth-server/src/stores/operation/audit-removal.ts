import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns, pick, setColumns } from '@frontdesk/database/table'
import { audit, auditSeal } from '../../generated/tables.js'
import { changeCount } from './audit-count.js'
import { addSums, isIntact, sumOf, withRemoval, type Seal, type StoredRow } from './audit-mac.js'

/** Makes the steps that remove rows and record that in their seals, once the count is locked. They return how many. */
export function createRemoval (connection: Connection): (which: Sql, key: Uint8Array) => Steps<number> {
  const covering = listStatement(connection, {
    entry: pick(audit, 'position'),
    sql: entries => `
      SELECT DISTINCT ${columns(auditSeal.columns, 'audit_seal')} FROM ${entries} JOIN audit_seal ON audit_seal.number = (
        SELECT covering.number FROM audit_seal AS covering WHERE covering.last >= entry.position ORDER BY covering.last LIMIT 1)`,
    row: auditSeal.columns
  })
  const note = listStatement(connection, {
    entry: pick(auditSeal, 'number', 'removed', 'removedSum', 'state'),
    sql: entries => `
      UPDATE audit_seal SET ${setColumns(pick(auditSeal, 'removed', 'removedSum', 'state'))} FROM ${entries}
      WHERE audit_seal.number = entry.number`
  })

  return function * remove (which, key) {
    const rows = yield * queryStep(connection, audit.columns, sql`
      DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE ${which}) RETURNING ${raw(columnNames(audit.columns))}`)
    if (rows.length === 0) return 0
    yield * changeCount(connection, { by: -rows.length })
    const seals = yield * covering.step(rows.map(({ position }) => ({ position })))
    // A changed seal stays as it is: a new MAC would make it valid.
    yield * note.step(seals.filter(seal => isIntact(key, seal)).map(seal => without(key, seal, rows)))
    return rows.length
  }
}

function without (key: Uint8Array, seal: Seal, removed: readonly StoredRow[]): Seal {
  const own = removed.filter(({ position }) => position >= seal.first && position <= seal.last)
  return withRemoval(key, seal, {
    removed: seal.removed + own.length, removedSum: addSums(seal.removedSum, sumOf(key, own)), starts: seal.starts
  })
}
