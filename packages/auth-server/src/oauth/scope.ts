import { isAmong } from './claims-request.js'
import type { Client } from './client.js'
import { errors } from './errors.js'
import { single, type Parameters } from './parameters.js'
import { allowsAny, canRequestReserved, isReservedScope } from './reserved-scopes.js'

/** `scope-token` of RFC 6749 §3.3. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Longest scope of a token, in characters: tokens go in a header, whose size is limited. */
const MAX_SCOPE = 2000

/** The scope tokens of a `scope` parameter, in order, without duplicates. Drops what does not fit the grammar or the length. */
export function parseScope (text: string): string[] {
  let length = 0
  return [...new Set(text.split(' ').filter(it => SCOPE_TOKEN.test(it)))]
    .filter(it => { length += it.length + 1; return length <= MAX_SCOPE })
}

/** The `scope` of a response: RFC 6749 §3.3 has no empty one. */
export function scopeOf (scope: readonly string[]): { scope?: string } {
  return scope.length === 0 ? {} : { scope: scope.join(' ') }
}

/**
 * The scope that a form requests, a subset of the granted scope; all of it by default (RFC 6749 §6).
 * @throws OAuthError `invalidScope` if it requests more
 */
export function narrowScope (form: Parameters, granted: string): string[] {
  const all = parseScope(granted)
  const asked = single(form, 'scope')
  if (asked === undefined) return all
  const scope = [...new Set(asked.split(' ').filter(it => it !== ''))]
  if (!scope.every(it => all.includes(it))) throw errors.invalidScope('scope was not granted')
  return scope
}

/**
 * The scopes that a client requests and can get.
 * @param reserved the reserved scopes that it can get, see {@link reservedScopesOf}
 * @throws OAuthError `emptyScope` if nothing remains
 */
export function limitScope (
  scope: readonly string[], client: Pick<Client, 'allowedScope' | 'registeredBy'>, reserved: readonly string[]
): readonly string[] {
  const available = canRequestReserved(client) ? reserved : []
  return remaining(scope, allowedOf(scope, client.allowedScope).filter(it => !isReservedScope(it) || available.includes(it)))
}

/** The reserved ones of some scopes. @throws OAuthError `emptyScope` if there are none */
export function onlyReserved (scope: readonly string[]): readonly string[] {
  return remaining(scope, scope.filter(isReservedScope))
}

/** The allowed ones of some scopes. @param allowedScope space-separated; `*`: any that is not reserved; `null`: any */
export function allowedOf (scope: readonly string[], allowedScope: string | null): readonly string[] {
  if (allowedScope === null) return scope
  const [allowed, isAny] = [allowedScope.split(' '), allowsAny(allowedScope)]
  return scope.filter(it => isAmong(it, allowed) || (isAny && !isReservedScope(it)))
}

/** The scopes that a user can grant. @param withheld scopes that the user cannot grant, space-separated; `null`: none */
export function scopesToGrant (scope: readonly string[], withheld: string | null): readonly string[] {
  if (withheld === null) return scope
  const kept = new Set(withheld.split(' '))
  return scope.filter(it => !kept.has(it))
}

/** The same. @throws OAuthError `emptyScope` if nothing remains */
export function grantableScope (scope: readonly string[], withheld: string | null): readonly string[] {
  return withheld === null ? scope : remaining(scope, scopesToGrant(scope, withheld))
}

function remaining (asked: readonly string[], rest: readonly string[]): readonly string[] {
  if (rest.length === 0 && asked.length > 0) throw errors.emptyScope('no scope is left to grant')
  return rest
}
