import { customerScopes, reservedCustomerScopes, type CustomerScope } from '@frontdesk/schemas/customer-scope'
import type { MessageKey } from '../languages/languages.js'
import { adminScopes } from './admin-scopes.js'
import { claimScopes } from './claims-request.js'
import type { Client } from './client.js'
import { scopesWithClaims } from './openid-claims.js'
import { DIRECTORY_SCOPE } from './reserved-scopes.js'

/** The sentences that describe scopes. */
type ScopeTexts = Readonly<Record<string, MessageKey>>

/** The scope that requests an ID token (OpenID Connect Core §3.1.2.1). */
const OPENID = 'openid'

/** The scope that requests offline access: a refresh token (OpenID Connect Core §11). */
export const OFFLINE_ACCESS = 'offline_access'

/** Scopes of OpenID Connect, with what they allow a client to do (OpenID Connect Core §5.4, §11). */
const openidScopes: ScopeTexts = {
  [OPENID]: 'permission.openid',
  ...Object.fromEntries(Object.entries(scopesWithClaims).map(([scope, { allows }]) => [scope, allows])),
  [OFFLINE_ACCESS]: 'permission.offline_access'
}

/** The scopes that this server knows, with what they allow a client to do; OpenID Connect scopes first. */
export const knownScopes: ScopeTexts = {
  ...openidScopes,
  ...textsOf(customerScopes)
}

/** Every scope that a page can describe, with its text. */
export const describedScopes: ScopeTexts = {
  ...knownScopes, ...claimScopes, ...adminScopes, [DIRECTORY_SCOPE]: 'permission.directory:read', ...textsOf(reservedCustomerScopes)
}

/** Whether a scope is one of OpenID Connect, not of a resource. */
export function isOfOpenid (scope: string): boolean {
  return Object.hasOwn(openidScopes, scope) || Object.hasOwn(claimScopes, scope)
}

/** Whether a scope requests an ID token. */
export function asksForIdToken (scope: readonly string[]): boolean {
  return scope.includes(OPENID)
}

/** Drops scopes that cannot be granted: `openid` without an ID token, `offline_access` without a refresh token. */
export function grantable (scope: readonly string[], gives: { idToken: boolean, refreshToken: boolean }): readonly string[] {
  if (gives.idToken && gives.refreshToken) return scope
  return scope.filter(it => (gives.idToken || it !== OPENID) && (gives.refreshToken || it !== OFFLINE_ACCESS))
}

/** Whether a client gets refresh tokens. */
export function mayRefresh ({ grantTypes }: Pick<Client, 'grantTypes'>): boolean {
  return grantTypes.includes('refresh_token')
}

function textsOf (scopes: Partial<Record<CustomerScope, string>>): ScopeTexts {
  // as: the keys are those of its type.
  return Object.fromEntries((Object.keys(scopes) as CustomerScope[]).map(scope => [scope, `permission.${scope}` as const]))
}
