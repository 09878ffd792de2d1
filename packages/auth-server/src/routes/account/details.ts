import { single, type Parameters } from '../../oauth/parameters.js'
import { ATTRIBUTES, LABELS, readProfile, type Attribute, type ProfileFaults } from '../../people/profile.js'
import type { Profile } from '../../stores/profiles.js'

/** A form of details with errors: what was typed, and what is wrong with it. */
export interface RefusedDetails {
  typed: Readonly<Record<Attribute, string>>
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

/**
 * Reads the form. An empty field removes the attribute.
 * @param profile the attributes as they are; `null`: unknown
 * @returns the attributes that differ; `refused` if any is not valid
 */
export function readDetails (form: Parameters, profile: Profile | null): { change: Partial<Profile>, refused?: RefusedDetails } {
  // as: an entry for each attribute.
  const typed = Object.fromEntries(ATTRIBUTES.map(it => [it, single(form, FIELDS[it].name) ?? ''])) as RefusedDetails['typed']
  const trimmed = Object.fromEntries(ATTRIBUTES.map(it => [it, typed[it].trim()]))
  const { change, faults } = readProfile(trimmed)
  if (Object.keys(faults).length > 0) return { change: {}, refused: { typed, faults } }
  const differs = (attribute: Attribute) => change[attribute] !== (profile?.[attribute] ?? null)
  return { change: Object.fromEntries(ATTRIBUTES.filter(differs).map(it => [it, change[it]])) }
}

/** The details for the page: those that are set, and the fields of the form, with what was typed if it was refused. */
export function presentDetails (profile: Profile | null, refused: RefusedDetails | undefined) {
  return {
    set: ATTRIBUTES.flatMap(attribute => {
      const value = profile?.[attribute] ?? null
      const state = profile?.emailVerified ? 'verified' : 'not verified'
      return value === null ? [] : [{ label: LABELS[attribute], value, state: attribute === 'email' ? state : undefined }]
    }),
    fields: ATTRIBUTES.map(attribute => ({
      ...FIELDS[attribute], label: LABELS[attribute], value: refused?.typed[attribute] ?? profile?.[attribute] ?? '', fault: refused?.faults[attribute]
    })),
    isRefused: refused !== undefined
  }
}
