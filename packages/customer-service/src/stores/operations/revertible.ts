import { parseValues, type Values } from '../changes/history.js'
import type { Examined } from './examine.js'

/** Why the changes of a customer are not undone. */
export const skipReasons = ['changed', 'removed', 'registered again', 'merged', 'erased', 'not retained'] as const
export type SkipReason = typeof skipReasons[number]

/** What undoing the changes of a customer does; `to`: the values before them, `null` if there was no customer. */
export type Decision =
  | { readonly outcome: 'revert', readonly to: Values | null }
  | { readonly outcome: 'reverted' }
  | Skip

/** `at` and `sub`: of the later change, if it was recorded. */
export interface Skip { readonly outcome: 'skip', readonly reason: SkipReason, readonly at: Date | null, readonly sub: string | null }

/** Decides whether the changes of a customer can be undone: only if no other change came later, or undos reverted all that did. */
export function decide (examined: Examined): Decision {
  const { firstSeq, baseKind, baseAfter, lastKind, ownAfter, otherKind, otherAt, otherSub, isOtherReverted } = examined
  if (baseKind === 'erased' || (firstSeq === null && lastKind === 'erased')) return skip('erased')
  if (baseKind === null) return firstSeq === null ? skip('not retained') : { outcome: 'reverted' }
  const current = currentValues(examined)
  const isAsLeft = isOtherReverted && isSame(current, parseValues(ownAfter))
  if (otherKind !== null && !isAsLeft) return skip(reasonOf(otherKind), otherAt, otherSub)
  const before = valuesBefore(examined)
  // Without values before, it added a customer, unless its values are not kept any more.
  if (before === null && baseAfter === null) return skip('not retained')
  if (!isLast(examined, current)) return skip('changed')
  return isSame(current, before) ? { outcome: 'reverted' } : { outcome: 'revert', to: before }
}

/** The values of a customer before the changes; `null`: there was no customer. */
export function valuesBefore ({ baseBefore }: Examined): Values | null {
  return parseValues(baseBefore)
}

/** Makes the decision to skip a customer. */
export function skip (reason: SkipReason, at: Date | null = null, sub: string | null = null): Skip {
  return { outcome: 'skip', reason, at, sub }
}

function reasonOf (kind: string): SkipReason {
  switch (kind) {
    case 'registered': return 'registered again'
    case 'removed':
    case 'merged':
    case 'erased': return kind
    default: return 'changed'
  }
}

function currentValues ({ name, age, address }: Examined): Values | null {
  return name === null || age === null || address === null ? null : { name, age, address }
}

/** Whether the customer is as its last change left it. Otherwise, another program changed it by SQL. */
function isLast ({ version, lastVersion, lastAfter }: Examined, current: Values | null): boolean {
  const after = parseValues(lastAfter)
  return isSame(current, after) && (current === null || version === lastVersion)
}

function isSame (one: Values | null, other: Values | null): boolean {
  if (one === null || other === null) return one === other
  return one.name === other.name && one.age === other.age && one.address === other.address
}
