import { short } from './doctor/explain.js'

/** Shortens the text of another server, and removes control characters, which could change what the terminal shows. */
export function printable (text: string, longest?: number): string {
  return short(text.replace(/\p{C}/gu, ''), longest)
}

/** The same for sentences of a service: long enough for them, because another server may have responded instead. */
export function printableSentences (text: string): string {
  return printable(text, 1_000)
}
