import { isAdminScope } from './admin-scopes.js'
import type { Client } from './client.js'
import { errors, parameterError } from './errors.js'
import { asksForIdToken, grantable, isOfOpenid, mayRefresh } from './openid-scopes.js'
import { single, type Parameters } from './parameters.js'
import type { ResourceScopes } from './resource.js'
import { limitScope, parseScope } from './scope.js'

/** The tokens that a response type can issue, directly or for a code. */
export interface Gives {
  /** `always`: only for requests with the scope `openid`; `on request`: for those; `never`. */
  readonly idToken: 'always' | 'on request' | 'never'
  /** Whether it issues access tokens. */
  readonly accessToken: boolean
  /** Whether it issues refresh tokens, to clients that can use them. */
  readonly refreshToken: boolean
}

/** Maximum length of a `nonce`, in characters. */
const MAX_NONCE = 500

/** Whether a request must name its callback, as OpenID Connect requires (Core §3.1.2.1, §3.2.2.1). */
export function needsCallback (
  { response_type: responseType, scope }: Parameters, { defaultScope }: Pick<Client, 'defaultScope'>
): boolean {
  const types = wordsOf(responseType)
  return types.includes('id_token') || (types.includes('code') && asksForIdToken(wordsOf(scope ?? defaultScope)))
}

/** The words of a parameter, even if it is repeated. */
function wordsOf (value: string | readonly string[] | undefined): string[] {
  return [value ?? ''].flat().flatMap(it => it.split(' '))
}

/**
 * The scope to grant: the requested one or the usual one, without scopes that the response type cannot grant.
 * @throws OAuthError `invalidRequest` if the response type needs `openid`, and the scope lacks it; `emptyScope` if the client
 * can request none of it
 */
export function readScope (
  parameters: Parameters, client: Client, { idToken, accessToken, refreshToken }: Gives, { usual, reserved, refreshed }: ResourceScopes
): readonly string[] {
  const requested = parseScope(single(parameters, 'scope') ?? usual)
  // Without a refresh token, it is the implicit grant: its token is in an address, which is no place for one with a reserved scope.
  const first = limitScope(requested, client, refreshToken ? reserved : [])
  const keepsAccess = refreshToken && mayRefresh(client) && !first.some(isAdminScope)
  const asked = keepsAccess ? limitScope(requested, client, refreshed) : first
  if (!asksForIdToken(asked) && idToken !== 'always') return asked
  const scope = grantable(asked, { idToken: idToken !== 'never', refreshToken: keepsAccess })
  if (idToken === 'always' && !asksForIdToken(scope)) throw errors.openidMissing('the response type needs the scope openid')
  return accessToken ? scope : scope.filter(isOfOpenid)
}

/**
 * The `nonce` for the ID token (OpenID Connect Core §3.1.2.1, §3.2.2.1); `null` without one.
 * @throws OAuthError `invalidRequest` if it is too long or not text, or missing although the browser receives the ID token
 */
export function readNonce (parameters: Parameters, { idToken }: Gives): string | null {
  const nonce = single(parameters, 'nonce')
  if (nonce === undefined) {
    if (idToken === 'always') throw parameterError('nonce', 'is missing')
    return null
  }
  if (nonce.length > MAX_NONCE || nonce.includes('\0')) throw parameterError('nonce', 'has an invalid value')
  return nonce
}
