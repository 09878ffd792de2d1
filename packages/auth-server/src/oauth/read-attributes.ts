import { textAttributes, userFields, type TextAttribute } from './user-fields.js'

/** Attributes as typed. An empty text removes the attribute; a missing one leaves it as it is. */
export type TypedText = { readonly [Name in TextAttribute]?: string | undefined }

/** Why attributes are not valid, a sentence each. */
export type AttributeFaults = { readonly [Name in TextAttribute]?: string }

/** Reads attributes that were typed: what is to be stored of the valid ones, and what is wrong with the others. */
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
