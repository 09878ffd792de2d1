import { reasons } from './en/reasons.js'
import type { Message } from './translator.js'

type ReasonKey = keyof typeof reasons

/** Why an input is refused: a message for pages, and its English sentence for the API, the CLI and logs. */
export interface Reason extends Message {
  readonly sentence: string
}

/** Makes a {@link Reason}. Loads no other language, which commands do not need. */
export function reason (key: ReasonKey, values: Readonly<Record<string, string | number | Reason>> = {}): Reason {
  const sentence = reasons[key].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]!
    return typeof value === 'object' ? value.sentence : String(value)
  })
  return { key, values, sentence }
}
