import { randomBytes } from 'node:crypto'
import { LockedDataKeyError, readDataKey } from '../keys/data-key.js'
import type { Secrets } from '../keys/seal.js'
import { addSums, isIntact, sumOf, type Seal, type StoredRow } from '../stores/operation/audit-mac.js'
import type { AuditSeals } from '../stores/operation/audit-seals.js'
import type { Stores } from '../stores/stores.js'
import { reason, type Reason } from '../languages/reason.js'
import { conflict } from './refusal.js'

/** A verified seal of the audit trail. */
export interface VerifiedSeal {
  readonly seal: number
  /** `null` if it is missing. */
  readonly sealedAt: Date | null
  /** Number of rows that it covered when it was created. */
  readonly rows: number
  /** Number of these rows that the server has since removed. */
  readonly removed: number
  /** Why it fails, in a sentence; `null` if it is valid. */
  readonly fault: string | null
}

/** Verified seals, oldest first. `next`: `after` of the next page; `null` on the last page. */
interface VerifiedPage { readonly items: readonly VerifiedSeal[], readonly next: string | null }

/** Rows of a page, of at least one seal. */
const MAX_ROWS = 10_000

type Verifying = Pick<Stores, 'auditSeals'>

/**
 * Verifies a page of seals: that no seal is missing or changed, and that their rows are as they were sealed.
 * @param after the last seal of the previous page; 0 to begin with the first seal
 * @throws Refusal if SECRET_KEY does not decrypt the seals' key
 */
export async function verifySeals (
  { auditSeals }: Verifying, secrets: Secrets, { after, limit }: { readonly after: number, readonly limit: number }
): Promise<VerifiedPage> {
  const key = await openKey(auditSeals, secrets)
  // Read first: the server can remove it, and then marks the next one as the start.
  let before = await auditSeals.find(after)
  const found = await auditSeals.list(after, limit + 1)
  const items: VerifiedSeal[] = []
  let read = 0
  for (const seal of found.slice(0, limit)) {
    if (read > 0 && read + seal.rows > MAX_ROWS) break
    read += seal.rows
    items.push(...await verify(auditSeals, key, seal, { before, after }))
    before = seal
  }
  const last = before?.number ?? after
  return { items, next: last === (found.at(-1)?.number ?? after) ? null : `${last}` }
}

const LOCKED = reason('finding.seal-locked')

/** Verifies a single seal. Returns why it fails, or that SECRET_KEY does not decrypt its key; `null` if it is valid. */
export async function findSealFault ({ auditSeals }: Verifying, secrets: Secrets, seal: Seal): Promise<Reason | null> {
  try {
    return await faultOf(auditSeals, await readKey(auditSeals, secrets), seal)
  } catch (error) {
    if (error instanceof LockedDataKeyError) return LOCKED
    throw error
  }
}

/** @returns the seal, after the seals that are missing before it */
async function verify (
  seals: AuditSeals, key: Uint8Array, seal: Seal, { before, after }: { before: Seal | null, after: number }
): Promise<VerifiedSeal[]> {
  const { number, sealedAt, rows, removed } = seal
  const own = await faultOf(seals, key, seal)
  const isStart = seal.starts && (before === null || before.number < number - 1)
  const missing = isStart ? null : missingBetween(before?.number ?? Math.max(after - 1, 0), number)
  const fault = own?.sentence ?? await placeFault()
  return [...missing === null ? [] : [missing], { seal: number, sealedAt, rows, removed, fault }]

  async function placeFault (): Promise<string | null> {
    if (isStart) return await seals.hasRowsBefore(seal) ? `Seal ${number} fails: rows were added before it.` : null
    const isNext = before === null || missing !== null || (seal.previous === before.mac && seal.first === before.last + 1n)
    return isNext ? null : `Seal ${number} fails: it does not continue seal ${number - 1}. One of the two was replaced.`
  }
}

function missingBetween (from: number, to: number): VerifiedSeal | null {
  if (to - from <= 1) return null
  const first = Math.max(from + 1, 1)
  const fault = to - 1 === first ? `Seal ${first} is missing.` : `Seals ${first} to ${to - 1} are missing.`
  return { seal: first, sealedAt: null, rows: 0, removed: 0, fault }
}

async function faultOf (seals: AuditSeals, key: Uint8Array, seal: Seal): Promise<Reason | null> {
  const fault = await compare(seals, key, seal)
  if (fault === null) return null
  // The server can have removed rows in the meantime.
  const now = await seals.find(seal.number)
  if (now === null) return await isGone(seals, seal) ? null : fault
  return now.state === seal.state ? fault : await faultOf(seals, key, now)
}

async function compare (seals: AuditSeals, key: Uint8Array, seal: Seal): Promise<Reason | null> {
  const about = { seal: seal.number }
  if (!isIntact(key, seal)) return reason('finding.seal-forged', about)
  const expected = seal.rows - seal.removed
  const rows = await readRows(seals, seal, expected + 1)
  if (rows === null) return reason('finding.seal-changed', about)
  if (rows.length > expected) return reason('finding.seal-added', about)
  const missing = expected - rows.length
  if (missing > 0) return reason('finding.seal-missing', { ...about, missing, expected })
  return addSums(sumOf(key, rows), seal.removedSum) === seal.sum ? null : reason('finding.seal-changed', about)
}

/**
 * Without a stored key, uses a random one, so that no seal is valid: anyone could forge seals for a fixed key.
 * @throws LockedDataKeyError
 */
async function readKey ({ key }: AuditSeals, secrets: Secrets): Promise<Uint8Array> {
  return await readDataKey(key, secrets, 'audit seals') ?? randomBytes(32)
}

/** As {@link readKey}. @throws Refusal */
async function openKey (seals: AuditSeals, secrets: Secrets): Promise<Uint8Array> {
  try {
    return await readKey(seals, secrets)
  } catch (error) {
    if (error instanceof LockedDataKeyError) throw conflict('SECRET_KEY', LOCKED)
    throw error
  }
}

/** Reads a seal's rows; `null` if a row has a value that the server never writes. */
async function readRows (seals: AuditSeals, seal: Seal, limit: number): Promise<StoredRow[] | null> {
  try {
    return await seals.rowsOf(seal, limit)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Whether the server has removed a seal. */
async function isGone (seals: AuditSeals, { number }: Seal): Promise<boolean> {
  const [first] = await seals.list(0, 1)
  return first !== undefined && first.number > number
}
