import { languages } from '../../languages/languages.js'
import { message, type Text } from '../../languages/translator.js'
import { single, type Parameters } from '../../oauth/parameters.js'
import { readAttributes, type AttributeFaults } from '../../oauth/read-attributes.js'
import { textAttributes, userFields, type TextAttribute } from '../../oauth/user-fields.js'
import { isUnverified } from '../../sign-in/email-verification.js'
import type { Profile } from '../../stores/users/profiles.js'

/** A details form with errors. */
export interface RefusedDetails {
  typed: Readonly<Record<TextAttribute, string>>
  /** The values that the page showed. */
  shown: Readonly<Record<TextAttribute, string>>
  faults: AttributeFaults
}

const languageNames = new Map<string, string>(Object.entries(languages).map(([tag, { name }]) => [tag, name]))

/** Name of the hidden field with the value that the page showed. */
const shownAs = (name: string) => `shown_${name}`

/**
 * Reads the fields that differ from what the page showed, so that a page that was open for long does not undo other changes. An empty
 * field removes the attribute.
 * @returns the attributes to change; `refused` if any is invalid
 */
export function readDetails (form: Parameters): { change: Partial<Profile>, refused?: RefusedDetails } {
  const value = (name: string) => (single(form, name) ?? '').trim()
  // as: an entry for each attribute.
  const [typed, shown] = [(name: string) => name, shownAs].map(named =>
    Object.fromEntries(textAttributes.map(it => [it, value(named(userFields[it].claim))]))) as [RefusedDetails['typed'], RefusedDetails['shown']]
  const different = textAttributes.filter(it => typed[it] !== shown[it])
  const { change, faults } = readAttributes(Object.fromEntries(different.map(it => [it, typed[it]])))
  return Object.keys(faults).length > 0 ? { change: {}, refused: { typed, shown, faults } } : { change }
}

/** The details for the page: the set attributes, and the fields of the form with their typed values if it was refused. */
export function presentDetails (profile: Profile | null, refused: RefusedDetails | undefined) {
  return {
    set: textAttributes.flatMap(attribute => {
      const value = profile?.[attribute] ?? null
      const state = profile?.emailVerified ? 'account.details.verified' : 'account.details.not-verified'
      if (value === null) return []
      const shown = attribute === 'locale' ? languageNames.get(value) ?? value : value
      return [{ label: userFields[attribute].label, value: shown, state: attribute === 'email' ? state : undefined }]
    }),
    fields: textAttributes.map(attribute => {
      const { typed, shown, faults } = refused ?? {}
      const stored = profile?.[attribute] ?? ''
      const { claim, label, autocomplete, hint, inputMode } = userFields[attribute]
      const value = typed?.[attribute] ?? stored
      return {
        name: claim,
        label,
        autocomplete,
        ...attribute === 'locale' ? { hint: 'account.details.language-hint', options: languageOptions(value) } : { hint },
        inputMode,
        value,
        hidden: { name: shownAs(claim), value: shown?.[attribute] ?? stored },
        fault: faults?.[attribute]
      }
    }),
    isUnverified: profile !== null && isUnverified(profile),
    isRefused: refused !== undefined
  }
}

/** The languages of the pages to choose from, and the stored one: apps can know others. */
function languageOptions (stored: string): Array<{ tag: string, text: Text }> {
  const offered = [...languageNames].map(([tag, text]) => ({ tag, text }))
  const isOther = stored !== '' && !languageNames.has(stored)
  return [{ tag: '', text: message('account.details.any-language') }, ...offered, ...isOther ? [{ tag: stored, text: stored }] : []]
}
