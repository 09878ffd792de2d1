import type { Connection } from '@frontdesk/database/connection'
import { rowDecoder } from '@frontdesk/database/rows'
import { executeStep, newRow, query, queryRows, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { audit, auditKey, auditSeal } from '../../generated/tables.js'
import { openStoredDataKey, type StoredDataKey } from '../data-key.js'
import { changeCount, lockCount } from './audit-count.js'
import { createSeal, isIntact, sumOf, withRemoval, type Seal, type StoredRow } from './audit-mac.js'

/** Maximum rows of a seal: more would block SQLite for longer than a request can wait. */
const MAX_SEALED_ROWS = 500

/** How far the trail is sealed. */
interface SealState {
  /** The newest seal; `null` if there is none. */
  readonly newest: Seal | null
  /** Time of the first event after it; `null` if there is none. */
  readonly unsealedSince: Date | null
}

/** Seals of the audit trail. Each covers the rows after the previous seal, in the order of commits, so no row is missed. */
export interface AuditSeals {
  /** Seals the next rows, at most {@link MAX_SEALED_ROWS}. Returns `null` if there are none. Atomic: seals each row once. */
  sealNext (key: Uint8Array, now: Date): Promise<Seal | null>
  /** Removes up to `limit` of the oldest seals, if all of their rows were removed unchanged. The newest seal stays. Returns how many. */
  removeEmpty (key: Uint8Array, limit: number): Promise<number>
  find (number: number): Promise<Seal | null>
  /** The seals after a number, oldest first. */
  list (after: number, limit: number): Promise<Seal[]>
  /** The rows that a seal covers, up to `limit`. */
  rowsOf (seal: Pick<Seal, 'first' | 'last'>, limit: number): Promise<StoredRow[]>
  /** Whether there are rows that an earlier seal should cover. */
  hasRowsBefore (seal: Pick<Seal, 'first'>): Promise<boolean>
  state (): Promise<SealState>
  readonly key: StoredDataKey
}

/** The columns of a seal with a value of another type, which SQLite allows: never {@link isIntact}. */
const DAMAGED: Omit<Seal, 'number'> = {
  first: 0n,
  last: 0n,
  rows: 0,
  sum: '0',
  sealedAt: new Date(0),
  previous: '',
  mac: '',
  removed: 0,
  removedSum: '0',
  starts: false,
  state: ''
}

const decodeSeals = rowDecoder(auditSeal.columns)

const [names, rowNames] = [raw(columnNames(auditSeal.columns)), raw(columnNames(audit.columns))]

export function openAuditSeals (connection: Connection): AuditSeals {
  function * removeOldest (key: Uint8Array, limit: number): Steps<number> {
    yield * lockCount(connection)
    const seals = yield * queryStep(connection, auditSeal.columns, sql`SELECT ${names} FROM audit_seal ORDER BY number LIMIT ${limit + 1}`)
    const kept = seals.findIndex((seal, index) => !isRemovable(key, seal, seals[index + 1]))
    const [first] = seals
    if (kept <= 0 || first === undefined || !first.starts) return 0
    // as: the index of one of them.
    const start = withRemoval(key, seals[kept]!, { ...seals[kept]!, starts: true })
    yield * executeStep(connection, sql`UPDATE audit_seal SET starts = true, state = ${start.state} WHERE number = ${start.number}`)
    return yield * executeStep(connection, sql`DELETE FROM audit_seal WHERE number < ${start.number}`)
  }

  /** Reads seals. @param rest the SQL after FROM */
  async function read (rest: Sql): Promise<Seal[]> {
    return (await queryRows(connection, sql`SELECT ${names} FROM audit_seal ${rest}`)).map(readSeal)
  }

  return {
    sealNext: (key, sealedAt) => connection.transact(function * (): Steps<Seal | null> {
      const { last } = yield * lockCount(connection)
      const [before] = yield * queryStep(connection, auditSeal.columns, sql`SELECT ${names} FROM audit_seal ORDER BY number DESC LIMIT 1`)
      const { number, last: sealed, mac } = before ?? { number: 0, last: 0n, mac: '' }
      // Someone has changed the count: the next rows must not get positions of sealed ones, which no seal would cover.
      const isLowered = before !== undefined && last < sealed && isIntact(key, before)
      if (isLowered) yield * changeCount(connection, { positions: Number(sealed - last) })
      const rows = yield * queryStep(connection, audit.columns, sql`
        SELECT ${rowNames} FROM audit WHERE position > ${sealed} AND position <= ${last} ORDER BY position LIMIT ${MAX_SEALED_ROWS}`)
      const end = rows.length < MAX_SEALED_ROWS ? last : rows.at(-1)!.position
      if (rows.length === 0) return null
      const seal = createSeal(key, {
        number: number + 1, first: sealed + 1n, last: end, rows: rows.length, sum: sumOf(key, rows), sealedAt, previous: mac
      })
      yield * executeStep(connection, sql`INSERT INTO audit_seal ${newRow(auditSeal.columns, seal)}`)
      return seal
    }),
    removeEmpty: (key, limit) => connection.transact(() => removeOldest(key, limit)),
    async find (number) {
      return (await read(sql`WHERE number = ${number}`))[0] ?? null
    },
    list: (after, limit) => read(sql`WHERE number > ${after} ORDER BY number LIMIT ${limit}`),
    rowsOf: ({ first, last }, limit) => query(connection, audit.columns, sql`
      SELECT ${rowNames} FROM audit WHERE position >= ${first} AND position <= ${last} ORDER BY position LIMIT ${limit}`),
    hasRowsBefore: async ({ first }) =>
      (await query(connection, { id: 'string' }, sql`SELECT id FROM audit WHERE position < ${first} ORDER BY position LIMIT 1`)).length > 0,
    async state () {
      const [newest = null] = await read(sql`ORDER BY number DESC LIMIT 1`)
      const [unsealed] = await query(connection, pick(audit, 'at'), sql`
        SELECT at FROM audit WHERE position > ${newest?.last ?? 0} ORDER BY position LIMIT 1`)
      return { newest, unsealedSince: unsealed?.at ?? null }
    },
    key: openStoredDataKey(connection, auditKey)
  }
}

/** Decodes a seal. Its number comes first, and is always an integer: SQLite's `rowid`. */
function readSeal (row: unknown[]): Seal {
  try {
    return decodeSeals([row])[0]!
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { ...DAMAGED, number: Number(row[0]) }
  }
}

/** Whether the server has removed all rows of a seal, unchanged, so that the next seal can become the start of the chain. */
function isRemovable (key: Uint8Array, seal: Seal, next: Seal | undefined): boolean {
  const isEmpty = seal.removed === seal.rows && seal.removedSum === seal.sum
  return isEmpty && next !== undefined && next.previous === seal.mac && isIntact(key, seal) && isIntact(key, next)
}
