import type { Row } from '@frontdesk/database/rows'
import { createHmac } from 'node:crypto'
import { audit, auditSeal } from '../../generated/tables.js'

/** A row of the audit trail, as it is stored. */
export type StoredRow = Row<typeof audit.columns>

/** A seal, as it is stored. */
export type Seal = Row<typeof auditSeal.columns>

/** What the MAC of a seal covers. */
type SealedFacts = Pick<Seal, 'number' | 'first' | 'last' | 'rows' | 'sum' | 'sealedAt' | 'previous'>

/** What the server has removed: rows of the seal, and earlier seals. */
type Removal = Pick<Seal, 'removed' | 'removedSum' | 'starts'>

const MODULUS = 1n << 256n

const FIELDS = Object.keys(audit.columns).sort()

/**
 * The sum of rows' MACs, modulo 2^256, in hex. The sum of removed rows can be added to that of the remaining ones. Without the key, it is
 * infeasible to find other rows with the same sum. A row's MAC omits null, so that a new nullable column does not change it.
 */
export function sumOf (key: Uint8Array, rows: readonly StoredRow[]): string {
  const sum = rows.reduce((sum, row) => sum + BigInt(`0x${macOf(key, 'row', entriesOf(row))}`), 0n)
  return (sum % MODULUS).toString(16)
}

export function addSums (one: string, other: string): string {
  return ((BigInt(`0x${one}`) + BigInt(`0x${other}`)) % MODULUS).toString(16)
}

/** Creates a seal, with no removed rows. */
export function createSeal (key: Uint8Array, facts: SealedFacts): Seal {
  const mac = sealMac(key, facts)
  return withRemoval(key, { ...facts, mac }, { removed: 0, removedSum: '0', starts: facts.number === 1 })
}

/** Records in a seal what was removed. */
export function withRemoval (key: Uint8Array, seal: SealedFacts & Pick<Seal, 'mac'>, removal: Removal): Seal {
  return { ...seal, ...removal, state: stateMac(key, { ...seal, ...removal }) }
}

/** Whether every column of a seal is as the server wrote it. */
export function isIntact (key: Uint8Array, seal: Seal): boolean {
  return seal.mac === sealMac(key, seal) && seal.state === stateMac(key, seal)
}

function sealMac (key: Uint8Array, { number, first, last, rows, sum, sealedAt, previous }: SealedFacts): string {
  return macOf(key, 'seal', [number, `${first}`, `${last}`, rows, sum, sealedAt, previous])
}

function stateMac (key: Uint8Array, { number, mac, removed, removedSum, starts }: Removal & Pick<Seal, 'number' | 'mac'>): string {
  return macOf(key, 'state', [number, mac, removed, removedSum, starts])
}

/** @param kind separates the domains: a MAC of one kind is not valid for another */
function macOf (key: Uint8Array, kind: 'row' | 'seal' | 'state', values: readonly unknown[]): string {
  return createHmac('sha256', key).update(JSON.stringify([kind, ...values])).digest('hex')
}

function entriesOf (row: Readonly<Record<string, unknown>>): unknown[] {
  return FIELDS.filter(field => row[field] !== null).map(field => {
    const value = row[field]
    return [field, typeof value === 'bigint' ? `${value}` : value]
  })
}
