import { oneOf, type SettingsRules } from '@frontdesk/service-kit/settings'
import type { Static, TObject } from '@sinclair/typebox'
import { languageTags, PSEUDO, type Language } from '../languages/languages.js'

/** Settings of the pages' language. */
export const languageSettings = {
  // Not LANGUAGE, which many systems set for gettext.
  DEFAULT_LANGUAGE: oneOf(
    `Language of pages and emails where neither the user nor the browser prefers another one: ${languageTags.map(tag => `\`${tag}\``).join(', ')}; in development also \`${PSEUDO}\`, longer and accented English that shows what is not translated.`,
    [...languageTags, PSEUDO]
  )
}

type LanguageSettings = Static<TObject<typeof languageSettings>>

/** Rules of {@link languageSettings}. */
export const languageRules = {
  relations: [{
    names: ['ENVIRONMENT', 'DEFAULT_LANGUAGE'],
    whyNot: ({ ENVIRONMENT, DEFAULT_LANGUAGE }) => ENVIRONMENT === 'production' && DEFAULT_LANGUAGE === PSEUDO
      ? `DEFAULT_LANGUAGE=${PSEUDO} is for development. Use ${languageTags.join(', ')}.`
      : null
  }]
} satisfies SettingsRules<LanguageSettings & { readonly ENVIRONMENT: string }>

export interface LanguageConfig { readonly defaultLanguage: Language | typeof PSEUDO }

export function readLanguage ({ DEFAULT_LANGUAGE: defaultLanguage }: LanguageSettings): LanguageConfig {
  return { defaultLanguage }
}
