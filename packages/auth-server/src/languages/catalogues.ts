import { ar } from './ar/index.js'
import { de } from './de/index.js'
import { en } from './en/index.js'
import { es } from './es/index.js'
import { fr } from './fr/index.js'
import { withFrenchSpaces } from './french-spaces.js'
import type { Language, MessageKey } from './languages.js'

/** The sentences of each language, in ICU MessageFormat. Not in the table of languages: commands need only that, and start faster. */
export const catalogues: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = { en, de, fr: withFrenchSpaces(fr), es, ar }
