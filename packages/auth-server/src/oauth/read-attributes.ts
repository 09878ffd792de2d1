import type { Reason } from '../languages/reason.js'
import { textAttributes, userFields, type TextAttribute } from './user-fields.js'

/** Attributes as typed. An empty text removes the attribute; a missing one leaves it unchanged. */
export type TypedText = { readonly [Name in TextAttribute]?: string | undefined }

/** Why attributes are invalid. */
export type AttributeFaults = { readonly [Name in TextAttribute]?: Reason }

/** Reads typed attributes. Returns the values to store, and the faults of invalid ones. */
export function readAttributes (typed: TypedText): { change: { [Name in TextAttribute]?: string | null }, faults: AttributeFaults } {
  const given = textAttributes.flatMap(attribute => {
    const text = typed[attribute]
    if (text === undefined) return []
    const { read, whyNot } = userFields[attribute]
    const value = text === '' ? null : read(text)
    return [{ attribute, value, fault: value === null ? null : whyNot(value) }]
  })
  return {
    change: Object.fromEntries(given.flatMap(({ attribute, value, fault }) => fault === null ? [[attribute, value]] : [])),
    faults: Object.fromEntries(given.flatMap(({ attribute, fault }) => fault === null ? [] : [[attribute, fault]]))
  }
}
