import type { Actor } from '../../stores/changes/change.js'
import type { Stores } from '../../stores/open.js'
import type { SkipReason } from '../../stores/operations/revertible.js'
import type { Batch, Undo } from '../../stores/operations/targets.js'
import type { Decisions } from '../../stores/operations/undo.js'
import type { Reason, UndoReport } from './report.js'

/** Maximum reasons in a report. */
const MAX_REASONS = 1_000

const DETAILS: Record<SkipReason, string> = {
  changed: 'Was changed later.',
  removed: 'Was removed later.',
  'registered again': 'Another customer has the number now.',
  merged: 'Was merged into another customer later.',
  erased: 'Was erased.',
  'not retained': 'The values from before are not kept any more.'
}

interface Options {
  readonly actor: Actor
  readonly dryRun: boolean
  /** Rejects if the request must end: the caller has no access any more, or the process stops. */
  readonly recheck: () => Promise<void>
}

/**
 * Undoes changes in batches, customer by customer: each one has its values from before, or is skipped with the reason. An undo that
 * was interrupted continues when it is run again.
 * @throws OperationUndone and what `recheck` throws
 */
export async function runUndo (stores: Stores['undo'], undo: Undo, { actor, dryRun, recheck }: Options): Promise<UndoReport> {
  const tally: Counts = { found: 0, skipped: 0, reasons: [], hasMoreReasons: false }
  const { start, undoId } = undo.selection
  const operationId = dryRun ? null : undoId
  for (let batch = await stores.findNext(undo, start - 1n); batch.last !== null; batch = await stores.findNext(undo, batch.last)) {
    await recheck()
    count(tally, await decideBatch(batch))
  }
  // Those that were erased, or whose changes have expired.
  const missing = Math.max(0, undo.customers - tally.found)
  if (missing > 0) skip(tally, missing, { reason: 'not retained', detail: missingDetail(missing) })
  const customers = tally.found + missing
  const { skipped, reasons, hasMoreReasons } = tally
  const operation = operationId === null ? {} : { operation: operationId }
  return { ...operation, customers, reverted: customers - skipped, skipped, reasons, hasMoreReasons, dryRun }

  /** Locks only the customers that are to be changed. Returns the decisions about those whose changes begin in the batch. */
  async function decideBatch (batch: Batch): Promise<Decisions> {
    const checked = await stores.check(batch)
    const ids = checked.filter(({ outcome }) => outcome === 'revert').map(({ id }) => id)
    const decided = operationId === null || ids.length === 0 ? [] : await stores.revert({ ...batch, ids }, { ...actor, operationId })
    const decisions = new Map([...checked, ...decided].map(decision => [decision.id, decision]))
    return batch.ids.flatMap(id => decisions.get(id) ?? []).filter(({ firstSeq }) => firstSeq === null || firstSeq > batch.after)
  }
}

interface Counts { found: number, skipped: number, readonly reasons: Reason[], hasMoreReasons: boolean }

function count (counts: Counts, decisions: Decisions): void {
  counts.found += decisions.length
  for (const decision of decisions) {
    if (decision.outcome !== 'skip') continue
    const { id, reason, at, sub } = decision
    const by = at === null ? {} : { at: at.toISOString(), sub }
    skip(counts, 1, { customerid: id, reason, detail: DETAILS[reason], ...by })
  }
}

function skip (counts: Counts, customers: number, reason: Reason): void {
  counts.skipped += customers
  if (counts.reasons.length < MAX_REASONS) counts.reasons.push(reason)
  else counts.hasMoreReasons = true
}

function missingDetail (customers: number): string {
  return `${customers === 1 ? '1 customer was' : `${customers} customers were`} erased, or the history does not go back so far.`
}
