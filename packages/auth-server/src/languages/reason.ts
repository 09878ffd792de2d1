import { reasons } from './en/reasons.js'
import type { Message } from './translator.js'

type ReasonKey = keyof typeof reasons

/** Why an input is refused: a message for pages, and its English sentence for the API, the CLI and logs. */
export interface Reason extends Message {
  readonly sentence: string
}

type Values = Readonly<Record<string, string | number | Reason>>

/** Makes a {@link Reason}. Loads no other language, which commands do not need. */
export function reason (key: ReasonKey, values: Values = {}): Reason {
  return { key, values, sentence: withValues(reasons[key], values) }
}

/** An English sentence without plurals and tags, with its values. */
export function withValues (sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]!
    return typeof value === 'object' ? value.sentence : String(value)
  })
}
