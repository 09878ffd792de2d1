import { IntlMessageFormat } from 'intl-messageformat'
import { catalogues } from './catalogues.js'
import { languages, PSEUDO, type Language, type MessageKey } from './languages.js'
import { pseudoMessage } from './pseudo.js'

/** Values of a message's arguments. */
type Values = Readonly<Record<string, string | number | Date | Message>>

/** A sentence for a reader whose language is not known yet. */
export interface Message { readonly key: MessageKey, readonly values?: Values }

/** What a page shows: a sentence, or a text that is the same in every language, such as a name. */
export type Text = Message | string

/** Writes the sentences, dates, numbers and lists of one language. */
export interface Translator {
  /** A sentence as text, without its tags. @throws Error if a value is missing */
  (message: MessageKey | Message, values?: Values): string
  /** A {@link Text} as text. */
  readonly text: (text: Text) => string
  /** A sentence as HTML, with its tags and escaped values, and dates as {@link time}. Its tag `link` leads to the value `href`. */
  readonly html: (message: MessageKey | Message, values?: Values) => string
  readonly date: (date: Date) => string
  /** A date as the element `time`, which a page's script shows in the reader's time zone. */
  readonly time: (date: Date) => string
  readonly number: (number: number) => string
  readonly list: (items: readonly string[]) => string
  /** Value of `lang`. */
  readonly language: Language | typeof PSEUDO
  /** Value of `dir`. */
  readonly direction: 'ltr' | 'rtl'
  /** Locale of dates and numbers. */
  readonly formats: string
}

/** The format of every date with a time. The server shows them in UTC, a page's script in the reader's time zone. */
export const DATE_FORMAT = {
  year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short'
} as const satisfies Intl.DateTimeFormatOptions

/** The tags of messages in HTML, besides `link`. No argument has the name of a tag. */
const TAGS = {
  strong: 'strong', em: 'em', code: 'code', host: 'strong class="host"', 'user-code': 'strong class="user-code"', unseen: 'span class="unseen"'
}

/** What isolates a text of unknown direction, one from right to left, and what ends both (UAX #9 §2.4.2). */
const ISOLATES = ['\u2068', '\u2067', '\u2069'] as const
const ELEMENTS = ['<bdi>', '<bdi dir="rtl">', '</bdi>'] as const

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Makes a {@link Message}. */
export function message (key: MessageKey, values?: Values): Message {
  return values === undefined ? { key } : { key, values }
}

const translators = new Map<string, Promise<Translator>>()

/** The translator of a language. */
export function translator (language: Language | typeof PSEUDO): Promise<Translator> {
  const made = translators.get(language) ?? createTranslator(language).catch(error => {
    // The next page tries again.
    translators.delete(language)
    throw error
  })
  translators.set(language, made)
  return made
}

async function createTranslator (language: Language | typeof PSEUDO): Promise<Translator> {
  const spoken = language === PSEUDO ? 'en' : language
  const { direction, formats } = languages[spoken]
  const catalogue = await catalogues[spoken]()
  const compile = (text: string) => {
    const compiled = new IntlMessageFormat(language === PSEUDO ? pseudoMessage(text) : text, formats)
    return { compiled, selectors: selectorsOf(compiled.getAst()) }
  }
  const texts = cached(key => compile(catalogue[key]))
  const markups = cached(key => compile(catalogue[key].replaceAll('&', '&amp;')))
  // Made when first used: each takes milliseconds.
  const dates = once(() => new Intl.DateTimeFormat(formats, { ...DATE_FORMAT, timeZone: 'UTC' }))
  const numbers = once(() => new Intl.NumberFormat(formats))
  const lists = once(() => new Intl.ListFormat(formats))
  const date = (date: Date) => dates().format(date)
  const time = (date: Date) => `<time datetime="${date.toISOString()}">${escape(dates().format(date))}</time>`
  /** Isolates a value where directions mix. In a text from right to left, so is a value that has any such letter. */
  const isolate = (text: string, written: string, [start, startFromRight, end]: readonly [string, string, string]) => {
    const isFromRight = RIGHT_TO_LEFT.test(text)
    if (direction === 'ltr' && !isFromRight) return written
    return `${direction === 'rtl' && isFromRight ? startFromRight : start}${written}${end}`
  }

  /** The values of a message; texts are written by `write`, except those that choose a variant. */
  function written (selectors: readonly string[], values: Values, write: (text: string) => string, writeDate: (date: Date) => string) {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => {
      if (typeof value === 'number') return [name, value]
      if (value instanceof Date) return [name, writeDate(value)]
      const text = typeof value === 'object' ? t(value) : value
      return [name, selectors.includes(name) ? text : write(text)]
    }))
  }

  function t (asked: MessageKey | Message, values: Values = {}): string {
    const { key, values: own = values } = typeof asked === 'object' ? asked : { key: asked }
    const { compiled, selectors } = texts(key)
    return format(compiled, { ...plainTags, ...written(selectors, own, text => isolate(text, text, ISOLATES), date) })
  }

  function html (asked: MessageKey | Message, values: Values = {}): string {
    const { key, values: own = values } = typeof asked === 'object' ? asked : { key: asked }
    const { href, ...others } = own
    const { compiled, selectors } = markups(key)
    const link = (parts: string[]) => `<a href="${escape(String(href))}">${parts.join('')}</a>`
    return format(compiled, {
      ...markupTags, link, ...written(selectors, others, text => isolate(text, escape(text), ELEMENTS), time)
    })
  }

  return Object.assign(t, {
    text: (text: Text) => typeof text === 'string' ? text : t(text),
    html,
    date,
    time,
    number: (number: number) => numbers().format(number),
    list: (items: readonly string[]) => lists().format(items),
    language,
    direction,
    formats
  })
}

/** What writes the content of a tag. */
type Tags = Readonly<Record<string, (parts: string[]) => string>>

const plainTags: Tags = Object.fromEntries([...Object.keys(TAGS), 'link'].map(name => [name, parts => parts.join('')]))
const markupTags: Tags = Object.fromEntries(Object.entries(TAGS).map(([name, tag]) =>
  [name, parts => `<${tag}>${parts.join('')}</${tag.split(' ', 1)[0]}>`]))

/** The arguments that choose a variant of a message. */
function selectorsOf (elements: ReturnType<IntlMessageFormat['getAst']>): string[] {
  return elements.flatMap(element => {
    if ('children' in element) return selectorsOf(element.children)
    if (!('options' in element)) return []
    const inner = Object.values(element.options).flatMap(({ value }) => selectorsOf(value))
    return 'offset' in element ? inner : [element.value, ...inner]
  })
}

function format (compiled: IntlMessageFormat, values: Tags | Readonly<Record<string, string | number>>): string {
  // Without an object in its values, it writes one text.
  return String(compiled.format(values))
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }

/** Escapes as views do. */
function escape (text: string): string {
  return text.replace(/[&<>"']/g, character => ESCAPES[character]!)
}

function once<T> (make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

function cached<T> (make: (key: MessageKey) => T): (key: MessageKey) => T {
  const made = new Map<MessageKey, T>()
  return key => {
    const found = made.get(key) ?? make(key)
    made.set(key, found)
    return found
  }
}
