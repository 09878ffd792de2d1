import { UNSHOWABLE } from '@frontdesk/service-kit/showable'
import { whyNotText } from '../input/text.js'
import type { Profile } from '../stores/profiles.js'

/** An attribute that is written as text. */
export type Attribute = Exclude<keyof Profile, 'emailVerified'>

/** Attributes as typed. An empty text removes the attribute; a missing one leaves it as it is. */
export type TypedProfile = { readonly [Name in Attribute]?: string | undefined }

/** Why attributes are not valid, a sentence each. */
export type ProfileFaults = { readonly [Name in Attribute]?: string }

/** Converts what was typed to what is stored, and checks that. */
interface Rule {
  readonly read: (typed: string) => string
  /** A sentence; `null` if it is valid. */
  readonly whyNot: (text: string) => string | null
}

const MAX_NAME = 200
/** RFC 5321 §4.5.3.1.3, without the angle brackets. */
const MAX_EMAIL = 254
const MAX_LOCALE = 100
const MAX_PICTURE = 2000

/** The rule of each attribute. */
const RULES: Readonly<Record<Attribute, Rule>> = {
  name: nameRule('name'),
  givenName: nameRule('given name'),
  familyName: nameRule('family name'),
  email: { read: normalize, whyNot: whyNotEmail },
  locale: { read: typed => canonicalLocale(typed) ?? typed, whyNot: whyNotLocale },
  picture: { read: typed => URL.canParse(typed) ? new URL(typed).href : typed, whyNot: whyNotPicture }
}

/** The attributes, in the order in which they are shown. */
export const ATTRIBUTES = Object.keys(RULES) as readonly Attribute[] // as: the keys are those of its type.

/** The attributes, as people read them. */
export const LABELS: Readonly<Record<Attribute, string>> = {
  name: 'Name', givenName: 'Given name', familyName: 'Family name', email: 'Email address', locale: 'Language', picture: 'Picture'
}

/** Reads attributes that were typed: what is to be stored of the valid ones, and what is wrong with the others. */
export function readProfile (typed: TypedProfile): { change: Partial<Profile>, faults: ProfileFaults } {
  const given = ATTRIBUTES.flatMap(attribute => {
    const text = typed[attribute]
    if (text === undefined) return []
    const { read, whyNot } = RULES[attribute]
    const value = text === '' ? null : read(text)
    return [{ attribute, value, fault: value === null ? null : whyNot(value) }]
  })
  return {
    change: Object.fromEntries(given.flatMap(({ attribute, value, fault }) => fault === null ? [[attribute, value]] : [])),
    faults: Object.fromEntries(given.flatMap(({ attribute, fault }) => fault === null ? [] : [[attribute, fault]]))
  }
}

function nameRule (what: string): Rule {
  return { read: normalize, whyNot: text => whyNotText(what, text, MAX_NAME) }
}

/** The same text in the same bytes, whichever keyboard wrote it (Unicode NFC). */
function normalize (text: string): string {
  return text.normalize('NFC')
}

function whyNotEmail (email: string): string | null {
  if ([...email].length > MAX_EMAIL) return `The email address is longer than ${MAX_EMAIL} characters.`
  if (UNSHOWABLE.test(email)) return 'The email address contains a control character.'
  return /^[^\s@]+@[^\s@]+$/u.test(email) ? null : 'The email address must have one @ with something on both sides, and no spaces.'
}

function whyNotLocale (locale: string): string | null {
  if (locale.length > MAX_LOCALE) return `The language is longer than ${MAX_LOCALE} characters.`
  return canonicalLocale(locale) === null ? 'The language must be a language tag (BCP 47), such as en or pt-BR.' : null
}

/** The canonical form of a language tag; `null` if it is none. */
function canonicalLocale (tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return null
  }
}

function whyNotPicture (picture: string): string | null {
  if (picture.length > MAX_PICTURE) return `The address of the picture is longer than ${MAX_PICTURE} characters.`
  const { protocol, username, password } = URL.canParse(picture) ? new URL(picture) : { protocol: null, username: '', password: '' }
  if (protocol !== 'https:') return 'The picture must be an absolute https address.'
  return username + password === '' ? null : 'The address of the picture must not have a user name or a password.'
}
