import { withFrenchSpaces } from './french-spaces.js'
import type { Language, MessageKey } from './languages.js'

/** The sentences of a language, in ICU MessageFormat. */
type Catalogue = Readonly<Record<MessageKey, string>>

/** Loads the sentences of a language. When first needed: a server starts faster, and many speak few languages. */
export const catalogues: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: async () => (await import('./en/index.js')).en,
  de: async () => (await import('./de/index.js')).de,
  fr: async () => withFrenchSpaces((await import('./fr/index.js')).fr),
  es: async () => (await import('./es/index.js')).es,
  ar: async () => (await import('./ar/index.js')).ar
}
