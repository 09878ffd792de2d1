import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import { DAY_MS, type Retention } from '../../settings/retention.js'
import type { Values } from '../changes/history.js'
import type { Recording } from '../changes/recording.js'
import { firstVersion } from '../customers/customer-record.js'
import { insertStatement, newEntry } from '../customers/insertion.js'
import { lockNumbers, removePlaceholders } from '../customers/lock-number.js'
import { mergedRemoval } from '../customers/merge.js'
import { replaceStatement } from '../customers/restore.js'
import { removal } from '../customers/statements.js'
import type { OperationActor } from './advance.js'
import { examineStatement, type Examined } from './examine.js'
import { alone, openLinked, type Groups } from './linked.js'
import { decide, skip, valuesBefore, type Decision, type Skip } from './revertible.js'
import { MARGIN_MS, type Batch } from './targets.js'

/** The decision about each customer. `firstSeq`: of its first change to undo, if that is kept. */
export type Decisions = ReadonlyArray<Decision & Pick<Examined, 'id' | 'firstSeq'>>

type How = Pick<Batch, 'selection' | 'isWhole'>

/** `linked`: nothing was decided, because these customers must be locked. */
type Attempt =
  | { readonly decisions: Decisions, readonly linked?: never }
  | { readonly decisions?: never, readonly linked: readonly number[] }

interface Parts { readonly connection: Connection, readonly clock: Pick<Clock, 'now'>, readonly recording: Recording }

/** Opens the undo of changes of customers. */
export function openUndo ({ connection, clock, recording }: Parts, { historyDays }: Retention) {
  const examine = examineStatement(connection)
  const findLinked = openLinked(connection)
  const lock = lockNumbers(connection)
  const unlock = removePlaceholders(connection)
  const remove = removal(connection, recording, pick(customer, 'id'))
  const replace = replaceStatement(recording)
  const removeMerged = mergedRemoval(connection, recording)
  const insert = insertStatement(recording, 'restored')

  /** The earliest time since when an app's changes can be undone, although the clean-up may run at the same time. */
  const historyBegin = () => clock.now().getTime() - historyDays * DAY_MS + MARGIN_MS

  return {
    /** The times since when an app's changes can be undone, in milliseconds: from the beginning of the history to now. */
    period () {
      return { from: historyBegin(), to: clock.now().getTime() }
    },

    /** Decides about customers, and those that merges connect with them, without changing them. */
    async check ({ ids, ...batch }: Batch): Promise<Decisions> {
      const examined = await examine.run(ids.map(id => ({ id, ...batch.selection })))
      if (!hasLinks(examined, batch)) return decideAll(examined, alone(ids), batch)
      return await connection.transact(function * (): Steps<Decisions> {
        const groups = yield * findLinked(ids, batch.selection)
        return decideAll(yield * examine.step([...groups.of.keys()].map(id => ({ id, ...batch.selection }))), groups, batch)
      })
    },

    /**
     * Undoes the changes of customers, and of those that merges connect with them, in one transaction.
     * @param actor `operationId`: of the undo
     * @throws OperationUndone
     */
    async revert (batch: Batch, actor: OperationActor): Promise<Decisions> {
      for (let ids = batch.ids; ;) {
        const { decisions, linked } = await connection.transact(() => tryRevert({ ...batch, ids }, actor))
        if (decisions !== undefined) return decisions
        ids = linked
      }
    }
  }

  /** Changes nothing if merges connect the customers with others, `linked`, which then must be locked, too. */
  function * tryRevert ({ ids, ...batch }: Batch, actor: OperationActor): Steps<Attempt> {
    const now = clock.now()
    const sorted = ids.toSorted((one, other) => one - other)
    // From here on, no other write to these numbers commits, and the statements below see all earlier ones.
    yield * lock(sorted, now)
    const examined = yield * examine.step(sorted.map(id => ({ id, ...batch.selection })))
    const groups = hasLinks(examined, batch) ? yield * findLinked(sorted, batch.selection) : alone(sorted)
    yield * unlock(sorted)
    if (groups.of.size > sorted.length) return { linked: [...groups.of.keys()] }
    const decisions = decideAll(examined, groups, batch)
    const isThere = new Set(examined.filter(({ version }) => version !== null).map(({ id }) => id))
    const reverts = decisions.flatMap(it => it.outcome === 'revert' ? [it] : [])
    const gone = reverts.filter(({ to }) => to === null).map(({ id }) => ({ id, at: now, ...actor }))
    if (!batch.isWhole) yield * remove.step(gone)
    // An undo of an undo merges the customer again. !: into the other one of the two.
    else for (const it of gone) yield * removeMerged(it, sorted.find(id => id !== it.id)!)
    const entries = reverts.flatMap(({ id, to }) => to === null ? [] : [entryOf(id, to)])
    yield * replace.step(entries.filter(({ id }) => isThere.has(id)))
    yield * insert.step(entries.filter(({ id }) => !isThere.has(id)))
    const isCounted = new Set(examined.filter(({ isCounted }) => isCounted).map(({ id }) => id))
    const counted = reverts.filter(({ id }) => isCounted.has(id)).length
    yield * recording.operation({ kind: 'undo', actor, customers: reverts.length, counted, now })
    return { decisions }

    /** With a random version, so that ETags from before a removal do not match. */
    function entryOf (id: number, values: Values) {
      return newEntry({ id, ...values, version: firstVersion() }, now, actor)
    }
  }

  function decideAll (examined: readonly Examined[], groups: Groups, { selection: { since }, isWhole }: How): Decisions {
    const isKept = since === null || since.getTime() >= historyBegin()
    const decisions = examined.map(it => ({ id: it.id, firstSeq: it.firstSeq, ...isKept ? decide(it) : skip('not retained') }))
    return isWhole ? decideWhole(examined, decisions) : decideTogether(decisions, groups)
  }
}

function hasLinks (examined: readonly Examined[], { isWhole }: How): boolean {
  return !isWhole && examined.some(({ isLinked }) => isLinked)
}

/** All customers are reverted or, for the reason of one of them, none. */
function decideWhole (examined: readonly Examined[], decisions: Decisions): Decisions {
  const skipped = decisions.find(it => it.outcome === 'skip')
  if (skipped !== undefined) {
    return decisions.map(it => it.outcome === 'skip' ? it : { ...skipped, id: it.id, firstSeq: it.firstSeq })
  }
  // Both are recorded, even one with the same values, because an undo of this undo needs both.
  const isDone = decisions.every(({ outcome }) => outcome === 'reverted')
  return isDone ? decisions : examined.map(it => ({ id: it.id, firstSeq: it.firstSeq, outcome: 'revert', to: valuesBefore(it) }))
}

/** Customers that merges connect are all reverted or, for the reason of one of them, all skipped. */
function decideTogether (decisions: Decisions, { of, isTooLarge }: Groups): Decisions {
  const groups = [...of.values()]
  const isLinked = (id: number) => groups.filter(group => group === of.get(id)).length > 1
  const reasons = new Map<number | undefined, Skip>()
  for (const decision of decisions) {
    if (decision.outcome === 'skip') reasons.set(of.get(decision.id), decision)
    else if (isTooLarge && isLinked(decision.id)) reasons.set(of.get(decision.id), skip('merged'))
  }
  return decisions.map(it => {
    const reason = reasons.get(of.get(it.id))
    return it.outcome !== 'revert' || reason === undefined ? it : { ...reason, id: it.id, firstSeq: it.firstSeq }
  })
}
