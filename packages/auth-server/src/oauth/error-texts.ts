import { errorAdvice } from '../languages/en/error-advice.js'
import { errorTitles } from '../languages/en/errors.js'

/** The headline of an error's page. */
export type ErrorTitle = keyof typeof errorTitles

/** What a user can do about an error. */
export type ErrorAdvice = keyof typeof errorAdvice

const texts = { ...errorTitles, ...errorAdvice }

/** A text in English, for programs. */
export function englishOf (key: ErrorTitle | ErrorAdvice): string {
  return texts[key]
}
