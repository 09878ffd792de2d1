// The language of the page, which the server has chosen: texts, numbers and times.
import { html } from './lit/lit-html.js'
import texts from './texts.js'

/** @typedef {typeof texts} Texts */
/** @typedef {string | number} Plain */
/** @typedef {import('./lit/lit-html.js').TemplateResult} Template */

/** Its tag, such as `de`. */
export const language = document.documentElement.lang

const LIFETIME_S = 365 * 24 * 60 * 60

/** Chooses another language for this browser. The texts are in the page, so it is loaded again. */
export function chooseLanguage (tag) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `desk-language=${tag}; Path=/; Max-Age=${LIFETIME_S}; SameSite=Lax${secure}`
  location.reload()
}

// Made once: making one takes longer than rendering a row.
const numbers = new Intl.NumberFormat(texts.locale)
const plurals = new Intl.PluralRules(texts.locale)
// As on auth-server's pages.
const times = new Intl.DateTimeFormat(texts.locale, { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
const lists = new Intl.ListFormat(texts.locale, { type: 'unit' })

/** Formats a number, but not a customer's: that one has no separators. @param {number} number */
export const count = number => numbers.format(number)

/** Formats a date in the browser's time zone, such as `28 Nov 2026, 21:05`. */
export const formatTime = when => times.format(new Date(when))

/** Joins texts, such as `one, two`. */
export const list = items => lists.format(items)

const isRightToLeft = document.documentElement.dir === 'rtl'
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * Isolates a value (UAX #9 §2.4.2), which can have another direction than the text, such as a name. Where the text is from right to
 * left, so is a value with any such letter, even if it begins with another one or with a value of its own.
 */
function isolated (value) {
  if (!rightToLeft.test(value)) return isRightToLeft ? `\u2068${value}\u2069` : value
  return `${isRightToLeft ? '\u2067' : '\u2068'}${value}\u2069`
}

/**
 * A text's form for a number, if it has several.
 * @param {keyof Texts} key
 * @param {{ count?: unknown }} values
 */
function formOf (key, { count }) {
  const forms = texts[key]
  return typeof forms === 'string' ? forms : forms[plurals.select(Number(count))] ?? forms.other
}

/**
 * A text, with values in its `{places}`. `count` selects the plural form, and is formatted; other numbers are not.
 * @param {keyof Texts} key
 * @param {Record<string, Plain>} [values]
 */
export function t (key, values = {}) {
  return formOf(key, values).replace(/\{(\w+)\}/g, (place, name) => name === 'count' ? count(Number(values.count)) : isolated(String(values[name])))
}

/**
 * A text for a template. Values can be templates; `<tag>words</tag>` calls the tag's value with the words; `<b>` is itself.
 * @param {keyof Texts} key
 * @param {Record<string, Plain | Template | ((words: string) => unknown)>} values
 */
export function rich (key, values = {}) {
  const tags = { b: words => html`<b>${words}</b>`, unseen: words => html`<span class="unseen">${words}</span>`, ...values }
  const render = text => Array.from(text.matchAll(/\{(\w+)\}|<(\w+)>(.*?)<\/\2>|[^{<]+/g), ([words, name, tag, inner]) => {
    if (tag) return tags[tag](render(inner))
    if (name === 'count') return count(Number(values.count))
    return name ? html`<bdi>${values[name]}</bdi>` : words
  })
  return render(formOf(key, values))
}

/**
 * A text whose key comes from a service, or else the service's own words.
 * @param {string} key
 * @param {string | undefined} otherwise
 * @param {Record<string, Plain>} [values]
 */
export const known = (key, otherwise, values) => key in texts ? t(/** @type {keyof Texts} */ (key), values) : otherwise

/** Arabic and Persian keyboards have digits of their own. */
export const toAsciiDigits = text => text.replace(/[٠-٩۰-۹]/g, digit => String(digit.charCodeAt(0) % 16))
