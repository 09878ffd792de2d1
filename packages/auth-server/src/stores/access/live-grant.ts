/**
 * SQL condition that a grant is live: not revoked, its person and client enabled, and no access of theirs revoked since. Its
 * codes and refresh tokens are live with it; their expiry is checked elsewhere. For both dialects.
 * @param grant alias of `access_grant` in the statement
 */
export function liveGrant (grant: string): string {
  return `(${grant}.revoked_at IS NULL AND ${grant}.epoch = ${grantEpoch(`${grant}.user_id`, `${grant}.client_id`)}
    AND EXISTS (SELECT 1 FROM user_account WHERE user_account.id = ${grant}.user_id AND user_account.disabled_at IS NULL)
    AND EXISTS (SELECT 1 FROM client WHERE client.id = ${grant}.client_id AND client.disabled_at IS NULL))`
}

/** SQL value: the current epoch of grants from the person to the client. @param user, client SQL expressions of their ids */
export function grantEpoch (user: string, client: string): string {
  return `(${accessEpoch(user, "''")} + ${accessEpoch("''", client)} + ${accessEpoch(user, client)})`
}

/** SQL value: how often access was revoked for the person at the client; with `''` for one of them, for the other alone. */
export function accessEpoch (user: string, client: string): string {
  return `COALESCE((SELECT access_epoch.epoch FROM access_epoch WHERE access_epoch.user_id = ${user} AND access_epoch.client_id = ${client}), 0)`
}

/**
 * SQL value: the earliest `iat` of access tokens from the person to the client; NULL for any. Older tokens are revoked as
 * a group.
 */
export function notBefore (user: string, client: string): string {
  return `(SELECT MAX(access_epoch.not_before) FROM access_epoch WHERE (access_epoch.user_id = ${user} AND access_epoch.client_id IN ('', ${client}))
    OR (access_epoch.user_id = '' AND access_epoch.client_id = ${client}))`
}

/**
 * SQL value: the scopes that the user cannot grant, space-separated; NULL if there are none. A scope is reserved for the people
 * with a role that has it. The value may name a scope twice.
 */
export function withheld (user: string): string {
  return `(SELECT string_agg(reserved.scope, ' ') FROM role_scope AS reserved WHERE NOT EXISTS (SELECT 1 FROM user_role
    JOIN role_scope AS own ON own.role = user_role.role WHERE user_role.user_id = ${user} AND own.scope = reserved.scope))`
}
