import { single, type Parameters } from '../../oauth/parameters.js'
import { ATTRIBUTES, LABELS, readProfile, type Attribute, type ProfileFaults } from '../../people/profile.js'
import type { Profile } from '../../stores/profiles.js'

/** A form of details with errors: what was typed, and what is wrong with it. */
export interface RefusedDetails {
  typed: Readonly<Record<Attribute, string>>
  /** What the page showed before. */
  shown: Readonly<Record<Attribute, string>>
  faults: ProfileFaults
}

/** How the form asks for an attribute. */
interface Field {
  /** The name of the field, as of the claim (OpenID Connect Core §5.1). */
  name: string
  /** HTML, the autofill field name. */
  autocomplete: string
  hint?: string
  inputMode?: 'email' | 'url'
}

/** The fields, in the order of the form. */
const FIELDS: Readonly<Record<Attribute, Field>> = {
  name: { name: 'name', autocomplete: 'name' },
  givenName: { name: 'given_name', autocomplete: 'given-name' },
  familyName: { name: 'family_name', autocomplete: 'family-name' },
  email: { name: 'email', autocomplete: 'email', hint: 'A new address is not verified.', inputMode: 'email' },
  locale: { name: 'locale', autocomplete: 'language', hint: 'Such as en, de or pt-BR.' },
  picture: { name: 'picture', autocomplete: 'photo', hint: 'An address that begins with https.', inputMode: 'url' }
}

/** What a hidden field is called that repeats what the page showed. */
const shownAs = (name: string) => `shown_${name}`

/**
 * Reads the form: what differs from what the page showed, so that a page that was open for long undoes nothing. An empty field
 * removes the attribute.
 * @returns the attributes to change; `refused` if any is not valid
 */
export function readDetails (form: Parameters): { change: Partial<Profile>, refused?: RefusedDetails } {
  const valueOf = (name: string) => (single(form, name) ?? '').trim()
  // as: an entry for each attribute.
  const [typed, shown] = [(name: string) => name, shownAs].map(named =>
    Object.fromEntries(ATTRIBUTES.map(it => [it, valueOf(named(FIELDS[it].name))]))) as [RefusedDetails['typed'], RefusedDetails['shown']]
  const { change, faults } = readProfile(Object.fromEntries(ATTRIBUTES.filter(it => typed[it] !== shown[it]).map(it => [it, typed[it]])))
  return Object.keys(faults).length > 0 ? { change: {}, refused: { typed, shown, faults } } : { change }
}

/** The details for the page: those that are set, and the fields of the form, with what was typed if it was refused. */
export function presentDetails (profile: Profile | null, refused: RefusedDetails | undefined) {
  return {
    set: ATTRIBUTES.flatMap(attribute => {
      const value = profile?.[attribute] ?? null
      const state = profile?.emailVerified ? 'verified' : 'not verified'
      return value === null ? [] : [{ label: LABELS[attribute], value, state: attribute === 'email' ? state : undefined }]
    }),
    fields: ATTRIBUTES.map(attribute => {
      const { typed, shown, faults } = refused ?? {}
      const stored = profile?.[attribute] ?? ''
      return {
        ...FIELDS[attribute],
        label: LABELS[attribute],
        value: typed?.[attribute] ?? stored,
        hidden: { name: shownAs(FIELDS[attribute].name), value: shown?.[attribute] ?? stored },
        fault: faults?.[attribute]
      }
    }),
    isRefused: refused !== undefined
  }
}
