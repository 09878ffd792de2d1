import { UNSHOWABLE } from '@frontdesk/service-kit/showable'
import { domainToASCII } from 'node:url'
import { whyNotText, type Noun } from '../input/text.js'
import { reason, type Reason } from '../languages/reason.js'

const MAX_NAME = 200
/** RFC 5321 §4.5.3.1.3, without the angle brackets. */
const MAX_EMAIL = 254
const MAX_LOCALE = 100
const MAX_PICTURE = 2000

/** Normalizes a text, so that the same text from any keyboard has the same bytes (Unicode NFC). */
export function normalize (text: string): string {
  return text.normalize('NFC')
}

/** Why a text is not a valid name of a user; `null` if it is. */
export function whyNotPersonName (noun: Noun, text: string): Reason | null {
  return whyNotText(noun, text, MAX_NAME)
}

/**
 * Converts a typed email address to the stored one, in which a mailbox has one domain: in lower case and ASCII (RFC 5890 A-labels), without
 * a trailing dot. The part before the @ stays: only its server knows which spellings are equal.
 */
export function readEmail (typed: string): string {
  const email = normalize(typed)
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  // Any other ASCII character would end the domain or be decoded; conversion of a long one is slow.
  const isDomain = at > 0 && domain.length <= MAX_EMAIL && !/[^\P{ASCII}\w.-]/u.test(domain)
  const ascii = isDomain ? domainToASCII(domain).replace(/\.$/, '') : ''
  return ascii === '' ? email : email.slice(0, at) + ascii
}

/** Why a text, as {@link readEmail} returns it, is not a valid email address; `null` if it is. A quoted local part is not. */
export function whyNotEmail (email: string): Reason | null {
  if ([...email].length > MAX_EMAIL) return reason('reason.email-long', { longest: MAX_EMAIL })
  if (UNSHOWABLE.test(email)) return reason('reason.email-control')
  return /^[^\s@"(),:;<>[\]\\]+@[\w-]+(\.[\w-]+)*$/u.test(email) ? null : reason('reason.email-form')
}

/** Why a text is not a valid language; `null` if it is. */
export function whyNotLocale (locale: string): Reason | null {
  if (locale.length > MAX_LOCALE) return reason('reason.locale-long', { longest: MAX_LOCALE })
  return canonicalLocale(locale) === null ? reason('reason.locale-form') : null
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

/** Why a text is not a valid address of a picture; `null` if it is. */
export function whyNotPicture (picture: string): Reason | null {
  if (picture.length > MAX_PICTURE) return reason('reason.picture-long', { longest: MAX_PICTURE })
  const { protocol, username, password } = URL.canParse(picture) ? new URL(picture) : { protocol: null, username: '', password: '' }
  if (protocol !== 'https:') return reason('reason.picture-form')
  return username + password === '' ? null : reason('reason.picture-user')
}
