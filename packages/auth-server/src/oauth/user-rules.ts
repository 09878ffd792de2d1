import { UNSHOWABLE } from '@frontdesk/service-kit/showable'
import { whyNotText } from '../input/text.js'

const MAX_NAME = 200
/** RFC 5321 §4.5.3.1.3, without the angle brackets. */
const MAX_EMAIL = 254
const MAX_LOCALE = 100
const MAX_PICTURE = 2000

/** Normalizes a text, so that the same text from any keyboard has the same bytes (Unicode NFC). */
export function normalize (text: string): string {
  return text.normalize('NFC')
}

/** Why a text is not a valid name of a user, in a sentence; `null` if it is. @param what its name in the sentence */
export function whyNotPersonName (what: string, text: string): string | null {
  return whyNotText(what, text, MAX_NAME)
}

/** Why a text is not a valid email address, in a sentence; `null` if it is. */
export function whyNotEmail (email: string): string | null {
  if ([...email].length > MAX_EMAIL) return `The email address is longer than ${MAX_EMAIL} characters.`
  if (UNSHOWABLE.test(email)) return 'The email address contains a control character.'
  return /^[^\s@]+@[^\s@]+$/u.test(email) ? null : 'The email address must have one @ with something on both sides, and no spaces.'
}

/** Why a text is not a valid language, in a sentence; `null` if it is. */
export function whyNotLocale (locale: string): string | null {
  if (locale.length > MAX_LOCALE) return `The language is longer than ${MAX_LOCALE} characters.`
  return canonicalLocale(locale) === null ? 'The language must be a language tag (BCP 47), such as en or pt-BR.' : null
}

/** The canonical form of a language tag; `null` if it is invalid. */
export function canonicalLocale (tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return null
  }
}

/** Why a text is not a valid address of a picture, in a sentence; `null` if it is. */
export function whyNotPicture (picture: string): string | null {
  if (picture.length > MAX_PICTURE) return `The address of the picture is longer than ${MAX_PICTURE} characters.`
  const { protocol, username, password } = URL.canParse(picture) ? new URL(picture) : { protocol: null, username: '', password: '' }
  if (protocol !== 'https:') return 'The picture must be an absolute https address.'
  return username + password === '' ? null : 'The address of the picture must not have a user name or a password.'
}
