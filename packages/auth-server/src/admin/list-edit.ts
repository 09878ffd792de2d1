import { didYouMean } from '@frontdesk/service-kit/nearest'
import { quote } from '@frontdesk/service-kit/showable'
import { unknown } from './refusal.js'

/** Values to add to a list, and values to remove from it. */
export interface ListEdit { readonly add: readonly string[], readonly remove: readonly string[] }

/**
 * The list after an edit. A value that it already has is added without effect.
 * @param noun a value, as in "There is no scope …"
 * @throws Refusal if it lacks a value to remove
 */
export function edited (before: readonly string[], { add, remove }: ListEdit, noun: string): string[] {
  const missing = remove.find(value => !before.includes(value))
  if (missing !== undefined) throw unknown(noun, `There is no ${noun} ${quote(missing)} to remove.${didYouMean(missing, before)}`)
  return [...new Set([...before.filter(value => !remove.includes(value)), ...add])]
}

/** The edit that values to add and to remove describe; `undefined`: there are none. */
export function toEdit (add: readonly string[] | undefined, remove: readonly string[] | undefined): ListEdit | undefined {
  return add === undefined && remove === undefined ? undefined : { add: add ?? [], remove: remove ?? [] }
}
