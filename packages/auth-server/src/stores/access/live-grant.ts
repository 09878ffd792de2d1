import { correlatedExists } from '@frontdesk/database/correlated-exists'
import { raw, sql, type Sql } from '@frontdesk/database/sql'
import { adminScopes, builtInRoles } from '../../oauth/admin-scopes.js'

/**
 * SQL condition that a grant is live: not revoked, its user and client enabled, the user admitted to the client, and their access not
 * revoked since. Its codes and refresh tokens are live with it; their expiry is checked elsewhere.
 * @param grant alias of `access_grant` in the statement
 */
export function liveGrant (grant: string): string {
  return `(${grant}.revoked_at IS NULL AND ${grant}.epoch = ${grantEpoch(`${grant}.user_id`, `${grant}.client_id`)}
    AND ${mayUse(`${grant}.user_id`, `${grant}.client_id`)})`
}

/** SQL condition that the grant with an id is live. @param id SQL expression */
export function isLiveGrant (id: string): string {
  return correlatedExists(`access_grant AS given WHERE given.id = ${id} AND ${liveGrant('given')}`)
}

/**
 * SQL condition that the user and the client are enabled, and that the user has a sign-in role of the client, or it has none.
 * @param user, client SQL expressions of their ids
 */
export function mayUse (user: string, client: string): string {
  return `${correlatedExists(`user_account WHERE user_account.id = ${user} AND user_account.disabled_at IS NULL`)}
    AND ${correlatedExists(`client WHERE client.id = ${client} AND client.disabled_at IS NULL AND ${hasSignInRole(user)}`)}`
}

/** SQL value: whether the user has a sign-in role of the client, or it has none. @param user, client SQL expressions of their ids */
export function isAdmitted (user: string, client: string): string {
  // A client with a metadata document has no row before its first use.
  return `NOT ${correlatedExists(`client WHERE client.id = ${client} AND NOT ${hasSignInRole(user)}`)}`
}

/** SQL condition on a row of `client`. Without LIKE, since roles can contain `_`. */
function hasSignInRole (user: string): string {
  return `(client.sign_in_roles = '' OR ${correlatedExists(`user_role WHERE user_role.user_id = ${user}
    AND replace(' ' || client.sign_in_roles || ' ', ' ' || user_role.role || ' ', '') <> ' ' || client.sign_in_roles || ' '`)})`
}

/** SQL condition that the client has access to the user's account: a live grant, or remembered consent. */
export function hasAccess (user: Sql, client: Sql, now: Sql): Sql {
  // As in `correlatedExists`.
  return sql`((SELECT 1 FROM access_grant
      WHERE user_id = ${user} AND client_id = ${client} AND expires_at > ${now} AND ${raw(liveGrant('access_grant'))} LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM consent WHERE user_id = ${user} AND client_id = ${client}
      AND consent.epoch = ${raw(accessEpoch('consent.user_id', 'consent.client_id'))} LIMIT 1) IS NOT NULL)`
}

/**
 * SQL value: the current epoch of a user's grants to a client: the sum of the access epochs of the user, of the client, and of the
 * user at the client. A grant with an outdated epoch is revoked. @param user, client SQL expressions of their ids
 */
export function grantEpoch (user: string, client: string): string {
  return `(${accessEpoch(user, "''")} + ${accessEpoch("''", client)} + ${accessEpoch(user, client)})`
}

/** SQL value: how often the access of a user at a client was revoked; with `''` for one of them, the access of the other. */
export function accessEpoch (user: string, client: string): string {
  return `COALESCE((SELECT access_epoch.epoch FROM access_epoch
    WHERE access_epoch.user_id = ${user} AND access_epoch.client_id = ${client}), 0)`
}

/** SQL value: the earliest valid `iat` of access tokens of a user at a client; NULL: any. Earlier tokens are revoked as a group. */
export function notBefore (user: string, client: string): string {
  return `(SELECT MAX(access_epoch.not_before) FROM access_epoch
    WHERE (access_epoch.user_id = ${user} AND access_epoch.client_id IN ('', ${client}))
    OR (access_epoch.user_id = '' AND access_epoch.client_id = ${client}))`
}

/**
 * SQL value: the scopes that the user cannot grant, space-separated and perhaps repeated; NULL: none. If roles have a scope, only
 * users with one of these roles can grant it. Those of the administration API belong to the built-in roles.
 */
export function withheld (user: string): string {
  const reserved = `CASE WHEN EXISTS (SELECT 1 FROM role_scope) THEN (
    SELECT string_agg(reserved.scope, ' ') FROM role_scope AS reserved WHERE NOT EXISTS (SELECT 1 FROM user_role
    JOIN role_scope AS own ON own.role = user_role.role WHERE user_role.user_id = ${user} AND own.scope = reserved.scope)) END`
  return `NULLIF(TRIM(COALESCE(${reserved}, '') || ' ' || ${withheldAdminScopes(user)}), '')`
}

/** SQL value: the scopes of the administration API that the user cannot grant. One look-up: each role has those of the one before. */
function withheldAdminScopes (user: string): string {
  const rank = Object.entries(builtInRoles).map(([role, scopes]) => `WHEN '${role}' THEN ${scopes.length}`).join(' ')
  const all = Object.keys(adminScopes)
  const rest = all.map((_, held) => `WHEN ${held} THEN '${all.slice(held).join(' ')}'`).join(' ')
  const highest = `(SELECT MAX(CASE user_role.role ${rank} ELSE 0 END) FROM user_role WHERE user_role.user_id = ${user})`
  return `CASE COALESCE(${highest}, 0) ${rest} ELSE '' END`
}
