import Negotiator from 'negotiator'
import type { IncomingHttpHeaders } from 'node:http'
import ar from './ar.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The texts of the desk, by key. English is the source. */
type Texts = typeof en

/** Each language's texts, by its tag (BCP 47), in the order of the menu. This is the only list of the languages. */
export const languages = { en, de: complete(de), fr: complete(fr), es: complete(es), ar: complete(ar) }

export type Language = keyof typeof languages

/** The tags. as: the keys of the object. */
export const tags = Object.keys(languages) as Language[]

/** Does not compile if a key is missing, or English does not have it. */
function complete<T extends Texts> (texts: T & Record<Exclude<keyof T, keyof Texts>, never>): Texts {
  return texts
}

/** The cookie with the language that the user chose. The page writes it, too. */
export const LANGUAGE_COOKIE = 'desk-language'

const CHOSEN = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)(?:;|$)`)

/** The language for a request: the user's choice in this browser, the browser's languages (RFC 9110 §12.5.4), or the default. */
export function languageOf ({ cookie = '', ...headers }: IncomingHttpHeaders, otherwise: Language): Language {
  const [, chosen] = CHOSEN.exec(cookie) ?? []
  const found = tags.find(tag => tag === chosen) ?? new Negotiator({ headers }).language([otherwise, ...tags])
  // as: one of those given.
  return (found as Language | undefined) ?? otherwise
}

/** The languages' own names, by tag. */
export const names = Object.fromEntries(tags.map(tag => [tag, languages[tag].language]))
