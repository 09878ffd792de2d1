import type { MessageKey } from '../languages/languages.js'
import { parseJson } from '@frontdesk/service-kit/json'
import { errors, parameterError } from './errors.js'
import { withoutNulls } from '../input/without-nulls.js'
import { claimList } from './openid-claims.js'
import { single, type Parameters } from './parameters.js'
import { allowsAny } from './reserved-scopes.js'
import { knownAcrs, type RequestedAcrs } from './requested-acr.js'

/** Where a claim is returned (OpenID Connect Core §5.5). */
export type ClaimPlace = 'userinfo' | 'id_token'

/** The individual claims of a request. */
interface ClaimsRequest {
  /** A scope for each claim, such as `userinfo:email`. */
  readonly scope: readonly string[]
  /** The `sub` values of the users who can sign in; `undefined`: any user. */
  readonly subjects: readonly string[] | undefined
  /** The levels of the sign-in; `undefined`: any. */
  readonly acrs: RequestedAcrs | undefined
}

const PLACES: readonly ClaimPlace[] = ['userinfo', 'id_token']

/** The scope of every claim in every place, with its text. */
export const claimScopes: Readonly<Record<string, MessageKey>> = Object.fromEntries(
  PLACES.flatMap(place => Object.entries(claimList).map(([name, { allows }]) => [`${place}:${name}`, allows]))
)

/** Maximum length of `claims`, in characters. */
const MAX_CLAIMS = 2_000

const NONE: ClaimsRequest = { scope: [], subjects: undefined, acrs: undefined }

/**
 * Reads the parameter `claims` (OpenID Connect Core §5.5). Each known claim becomes a scope, which is shown, remembered, refreshed
 * and narrowed like any other. Claims that are unknown, or that the scope already has, have no effect.
 * @param allowedScope what the client can request; `null`: anything
 * @throws OAuthError `invalidRequest` if it is too long or malformed; `unmetAuthentication` if it requires only
 * unknown values of `acr` (§5.5.1.1)
 */
export function readClaims (
  parameters: Parameters,
  granted: readonly string[],
  { accessToken }: { accessToken: boolean },
  allowedScope: string | null = null
): ClaimsRequest {
  const text = single(parameters, 'claims')
  if (text === undefined) return NONE
  const asked = parse(text)
  const scope = PLACES.filter(place => accessToken || place !== 'userinfo').flatMap(place => Object.keys(asked[place])
    .filter(name => Object.hasOwn(claimList, name) && !(place === 'userinfo' && granted.includes(claimList[name]!.scope)))
    .map(name => `${place}:${name}`))
  const { sub, acr } = asked.id_token
  const [allowed, isAny] = [allowedScope?.split(' ') ?? [], allowsAny(allowedScope)]
  const added = scope.filter(it => !granted.includes(it) && (isAny || isAmong(it, allowed)))
  return { scope: added, subjects: requestedValues(sub), acrs: requestedAcrs(acr) }
}

/** The claim that a scope requests in a place; `undefined`: none. */
export function claimOf (scope: string, place: ClaimPlace): string | undefined {
  return Object.hasOwn(claimScopes, scope) && scope.startsWith(`${place}:`) ? scope.slice(place.length + 1) : undefined
}

/** Drops claims that another scope covers, so that a page does not show them twice. */
export function withoutCovered (scope: readonly string[]): readonly string[] {
  return scope.filter(it => !Object.hasOwn(claimScopes, it) || !scope.includes(scopeOf(it)))
}

/** Whether other scopes cover this one. */
export function isAmong (scope: string, others: readonly string[]): boolean {
  return others.includes(scope) || (Object.hasOwn(claimScopes, scope) && others.includes(scopeOf(scope)))
}

/** The scope that has the claim of a claim's scope. */
function scopeOf (claimScope: string): string {
  return claimList[claimScope.slice(claimScope.indexOf(':') + 1)]!.scope
}

/** How a client requests a claim; `null`: without options. */
type Asked = Readonly<Record<string, unknown>> | null

function parse (text: string): Record<ClaimPlace, Readonly<Record<string, Asked>>> {
  const json = text.length > MAX_CLAIMS ? undefined : parseJson(text)
  if (!isObject(json)) throw invalid('it is too long, or no JSON object')
  const { userinfo, id_token: idToken } = json
  return { userinfo: claimsOf(userinfo ?? {}), id_token: claimsOf(idToken ?? {}) }
}

function claimsOf (member: unknown): Record<string, Asked> {
  if (!isObject(member)) throw invalid('a member is no object')
  for (const asked of Object.values(member)) {
    if (asked !== null && !isObject(asked)) throw invalid('a claim is neither null nor an object')
    // Null requests a claim. Inside a claim's request, it means absent.
    const { essential = false, values = [] } = withoutNulls(asked) ?? {}
    if (typeof essential !== 'boolean' || !Array.isArray(values)) throw invalid('essential or values has another type')
  }
  // as: checked above.
  return member as Record<string, Asked>
}

function requestedAcrs (acr: Asked | undefined): RequestedAcrs | undefined {
  const values = requestedValues(acr)
  if (values === undefined) return undefined
  const [acrs, isAcrEssential] = [knownAcrs(values), acr?.essential === true]
  if (isAcrEssential && acrs.length === 0) throw errors.unmetAuthentication('no sign-in meets the acr')
  return { acrs, isAcrEssential }
}

/** The values that a claim can have; `undefined`: any. */
function requestedValues (asked: Asked | undefined): string[] | undefined {
  const { value, values } = asked ?? {}
  if (value === undefined && values === undefined) return undefined
  // as: values is a list, if it is there.
  return [value, ...values as unknown[] | undefined ?? []].filter(it => typeof it === 'string')
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid (why: string) {
  return parameterError('claims', 'has an invalid value', `claims: ${why}`)
}
