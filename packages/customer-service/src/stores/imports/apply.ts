import type { Connection } from '@frontdesk/database/connection'
import type { Steps } from '@frontdesk/database/steps'
import type { Values } from '../changes/history.js'
import type { Recording } from '../changes/recording.js'
import { firstVersion, type NewCustomer } from '../customers/customer-record.js'
import { insertOrLock, newEntry } from '../customers/insertion.js'
import { updateEntry, updateStatement } from '../customers/update.js'
import type { OperationActor } from '../operations/advance.js'
import { findTargets, type Found } from './find-targets.js'
import { insertNumbered, type UnnumberedCustomer } from './numbering.js'
import type { ImportRule } from './rule.js'

const CREATE: ImportRule = { mode: 'create', match: 'number' }

/** Who imports, and by which rule. */
export interface Work { readonly actor: OperationActor, readonly rule: ImportRule }

/** Why a record has no effect. */
export type Failure = 'taken' | 'unknown' | 'unknown name' | 'repeated' | 'repeated name' | 'ambiguous' | 'merged'

/** A change of a customer. `before`: its values. */
export interface Update { readonly kind: 'updated', readonly id: number, readonly before: Values }

/** What becomes of a record. `customers`: they explain the failure. */
export type Outcome = Update
  | { readonly kind: 'registered' | 'unchanged' }
  | { readonly kind: Failure, readonly customers?: number[] }

/** Whether a record has no effect because of an error. */
export function isFailure (outcome: Outcome): outcome is Extract<Outcome, { kind: Failure }> {
  return !['registered', 'updated', 'unchanged'].includes(outcome.kind)
}

/** The outcomes of records. */
export type Outcomes = ReadonlyMap<UnnumberedCustomer, Outcome>

/** Creates a step of a transaction that imports records by a rule. */
export function applyRule (connection: Connection, recording: Recording) {
  const insert = insertOrLock(connection, recording)
  const update = updateStatement(recording)
  const find = findTargets(connection, true)

  /** @param records sorted by number, each number once; to match names, each name once */
  return function * (records: readonly UnnumberedCustomer[], { rule, actor }: Work, now: Date): Steps<Outcomes> {
    const entryOf = (customer: NewCustomer) => newEntry({ ...customer, version: firstVersion() }, now, actor)
    const outcomes = new Map<UnnumberedCustomer, Outcome>()
    for (let left = records; left.length > 0;) {
      const found = rule.mode === 'create' ? new Map<UnnumberedCustomer, Found>() : yield * find(left, rule)
      const plans = left.map(record => ({ record, plan: planRecord(record, rule, found.get(record), actor.operationId) }))
      for (const { record, plan } of plans) outcomes.set(record, plan)
      const updates = plans.flatMap(({ record: { name, age, address }, plan }) =>
        plan.kind === 'updated' ? [updateEntry(plan.id, { name, age, address }, now, actor)] : [])
      yield * update.step(updates.toSorted((one, other) => one.id - other.id))
      const additions = plans.filter(({ plan }) => plan.kind === 'registered').map(({ record }) => record)
      const taken = yield * insertNumbered(connection, additions, customers => insert(customers.map(entryOf)))
      const rest = additions.filter(({ id }) => id !== null && taken.has(id))
      for (const record of rest) outcomes.set(record, { kind: 'taken' })
      // By number, another transaction has just registered these: now they can be updated.
      left = rule.mode === 'upsert' && rule.match === 'number' ? rest : []
    }
    return outcomes
  }
}

/** Creates a step that finds what would become of records. */
export function checkRule (connection: Connection) {
  const find = findTargets(connection, false)

  return function * (records: readonly UnnumberedCustomer[], rule: ImportRule): Steps<Outcomes> {
    const found = yield * find(records, rule)
    const outcomes = new Map(records.map(record => [record, planRecord(record, rule, found.get(record))]))
    const additions = records.filter(record => rule.match === 'name' && outcomes.get(record)?.kind === 'registered')
    for (const [record, { targets }] of yield * find(additions, CREATE)) if (targets.length > 0) outcomes.set(record, { kind: 'taken' })
    return outcomes
  }
}

/** Decides what becomes of a record. */
function planRecord (record: UnnumberedCustomer, { mode, match }: ImportRule, found: Found | undefined, operationId?: string): Outcome {
  const [target, namesake] = found?.targets ?? []
  if (mode === 'create') return { kind: target === undefined ? 'registered' : 'taken' }
  if (target !== undefined && namesake !== undefined) return { kind: 'ambiguous', customers: [target.id, namesake.id] }
  if (target === undefined) {
    if (found?.successor !== undefined) return { kind: 'merged', customers: [found.successor] }
    if (mode === 'upsert') return { kind: 'registered' }
    return { kind: match === 'number' ? 'unknown' : 'unknown name' }
  }
  // An operation changes each customer once, so that it can be undone.
  if (target.operationId !== null && target.operationId === operationId) return { kind: match === 'number' ? 'repeated' : 'repeated name' }
  const { id, name, age, address } = target
  const isSame = record.name === name && record.age === age && record.address === address
  return isSame ? { kind: 'unchanged' } : { kind: 'updated', id, before: { name, age, address } }
}
