import type { en } from './en/index.js'

/** Names a sentence of the pages and emails: `page.part`. */
export type MessageKey = keyof typeof en

/** A language of the pages. */
interface LanguageEntry {
  /** Its own name. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  /** Locale of its dates and numbers. */
  readonly formats: string
}

/** Every language of the pages, by its tag, in the order of the switch. */
export const languages = {
  en: { name: 'English', direction: 'ltr', formats: 'en-GB' },
  de: { name: 'Deutsch', direction: 'ltr', formats: 'de' },
  fr: { name: 'Français', direction: 'ltr', formats: 'fr' },
  es: { name: 'Español', direction: 'ltr', formats: 'es' },
  // The digits of codes and addresses, which stand in the same sentences.
  ar: { name: 'العربية', direction: 'rtl', formats: 'ar-u-nu-latn' }
} as const satisfies Record<string, LanguageEntry>

/** Tag of a language of the pages. */
export type Language = keyof typeof languages

/** Tag of the pseudo-language: the user-assigned region XA. */
export const PSEUDO = 'en-XA'

/** The tags of all languages. */
// as: the keys are those of its type.
export const languageTags = Object.keys(languages) as readonly Language[]

/** The first known language among some tags (BCP 47), such as `de` for `de-AT`; `undefined`: none is known. */
export function findLanguage (tags: readonly string[]): Language | undefined {
  return tags.map(tag => tag.split('-', 1)[0]!.toLowerCase()).find((tag): tag is Language => Object.hasOwn(languages, tag))
}
