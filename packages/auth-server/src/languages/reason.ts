import { reasons } from './en/reasons/index.js'
import type { Message } from './translator.js'

export type ReasonKey = keyof typeof reasons

export function isReasonKey (key: string): key is ReasonKey {
  return key in reasons
}

type Values = Readonly<Record<string, string | number | Message & { readonly sentence: string }>>

/** Why an input is refused, or another sentence that the API, commands and logs have in English, and pages in the reader's language. */
export class Reason implements Message {
  readonly key: ReasonKey
  readonly values: Values

  constructor (key: ReasonKey, values: Values) {
    this.key = key
    this.values = values
  }

  /** The sentence in English. Loads no other language, which commands do not need. */
  get sentence (): string {
    return withValues(reasons[this.key], this.values)
  }

  /** In English texts and JSON, it is its sentence. */
  toString (): string {
    return this.sentence
  }

  toJSON (): string {
    return this.sentence
  }
}

/** Makes a {@link Reason}. */
export function reason (key: ReasonKey, values: Values = {}): Reason {
  return new Reason(key, values)
}

const PLURAL = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g

/** An English sentence with its values. It has no tags, and in plurals no other values. */
export function withValues (sentence: string, values: Values): string {
  return sentence
    .replace(PLURAL, (_, name: string, one: string, other: string) =>
      (values[name] === 1 ? one : other).replace('#', values[name]!.toLocaleString('en')))
    .replace(/\{(\w+)(, number)?\}/g, (_, name: string, isNumber: string | undefined) => {
      const value = values[name]!
      if (typeof value === 'object') return value.sentence
      return isNumber === undefined ? String(value) : value.toLocaleString('en')
    })
}
