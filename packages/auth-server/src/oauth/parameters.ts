import { parse, type ParsedUrlQuery } from 'node:querystring'
import { errors, parameterError } from './errors.js'

/** Maximum parameters of a query string or form. No valid request has a third of them. */
export const MAX_PARAMETERS = 100

/** Decoded parameters of a query string or form that have a value; a list if a name is repeated. */
export type Parameters = ParsedUrlQuery

/**
 * Decodes `application/x-www-form-urlencoded` text (RFC 6749 appendix B) strictly. Parameters without a value are omitted
 * (§3.1, §3.2).
 * @throws OAuthError `otherwise` on broken percent-escapes, invalid UTF-8, raw characters outside printable ASCII and more than
 * {@link MAX_PARAMETERS}
 */
export function parseParameters (raw: string, otherwise: keyof typeof errors = 'malformedRequest'): Parameters {
  if (!/^[\x21-\x7e]*$/.test(raw)) throw errors[otherwise]('raw characters outside printable ASCII')
  try {
    // querystring would keep broken escapes.
    decodeURIComponent(raw)
  } catch {
    throw errors[otherwise]('a broken percent-escape or invalid UTF-8')
  }
  if (raw.split('&').filter(pair => pair !== '').length > MAX_PARAMETERS) throw errors[otherwise](`more than ${MAX_PARAMETERS} parameters`)
  return omitEmpty(parse(raw, '&', '=', { maxKeys: 0 }))
}

function omitEmpty (parameters: Parameters): Parameters {
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') delete parameters[name]
    if (!Array.isArray(value)) continue
    const [first, ...others] = value.filter(it => it !== '')
    if (first === undefined) delete parameters[name]
    else parameters[name] = others.length === 0 ? first : [first, ...others]
  }
  return parameters
}

/**
 * Decodes a form, without a byte order mark. Refuses NUL, which PostgreSQL rejects in text.
 * @throws OAuthError `invalidForm` on what {@link parseParameters} refuses, and on NUL
 */
export function parseForm (raw: string): Parameters {
  if (raw.includes('%00')) throw errors.invalidForm('a NUL character')
  return parseParameters(raw.replace(/^\ufeff/, ''), 'invalidForm')
}

/**
 * The one value of a parameter; `undefined` if absent or empty, which RFC 6749 §3.1 treats alike.
 * @throws OAuthError `invalidRequest` if it is repeated
 */
export function single (parameters: Parameters, name: string): string | undefined {
  const value = parameters[name]
  if (Array.isArray(value)) throw parameterError(name, 'is repeated')
  return value === '' ? undefined : value
}
