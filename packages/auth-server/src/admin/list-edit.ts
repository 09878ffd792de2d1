import { didYouMean } from '@frontdesk/service-kit/nearest'
import { quote } from '@frontdesk/service-kit/showable'
import { unknown } from './refusal.js'

/** Values to add to a list, and values to remove from it. */
export interface ListEdit { readonly add: readonly string[], readonly remove: readonly string[] }

/**
 * Applies an edit to a list. Adding a value that it already has has no effect.
 * @param noun describes a value, as in "There is no scope …"
 * @throws Refusal if the list lacks a value to remove
 */
export function edited (before: readonly string[], { add, remove }: ListEdit, noun: string): string[] {
  const missing = remove.find(value => !before.includes(value))
  if (missing !== undefined) throw unknown(noun, `There is no ${noun} ${quote(missing)} to remove.${didYouMean(missing, before)}`)
  return [...new Set([...before.filter(value => !remove.includes(value)), ...add])]
}

/** Makes an edit; `undefined` without values. */
export function toEdit (add: readonly string[] | undefined, remove: readonly string[] | undefined): ListEdit | undefined {
  return add === undefined && remove === undefined ? undefined : { add: add ?? [], remove: remove ?? [] }
}
