import { oauthError } from './errors.js'
import { single, type Parameters } from './parameters.js'

/** `scope-token` of RFC 6749 §3.3. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Longest scope of a token, in characters: tokens go in a header, whose size is limited. */
export const MAX_SCOPE = 2000

/** The scope tokens of a `scope` parameter, in order, without duplicates. Drops what does not fit the grammar or the length. */
export function parseScope (text: string): string[] {
  let length = 0
  return [...new Set(text.split(' ').filter(it => SCOPE_TOKEN.test(it)))]
    .filter(it => { length += it.length + 1; return length <= MAX_SCOPE })
}

/**
 * The scope that a form requests, a subset of the granted scope; all of it by default (RFC 6749 §6).
 * @throws OAuthError `invalidScope` if it asks for more
 */
export function narrowScope (form: Parameters, granted: string): string[] {
  const all = parseScope(granted)
  const asked = single(form, 'scope')
  if (asked === undefined) return all
  const scope = [...new Set(asked.split(' ').filter(it => it !== ''))]
  if (!scope.every(it => all.includes(it))) throw oauthError('invalidScope', 'scope was not granted')
  return scope
}
