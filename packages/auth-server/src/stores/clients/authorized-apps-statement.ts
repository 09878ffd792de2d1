import { raw, sql, type Sql } from '@frontdesk/database/sql'
import { accessEpoch, grantEpoch } from '../access/live-grant.js'

/** Maximum clients that the statement visits. */
const MAX_APPS = 500
/** Maximum distinct scopes of a client that the statement visits. */
const MAX_SCOPES = 100
/** How many grants of a user and client are read for its last use and expiry: those that expire last. */
export const MAX_LAST_GRANTS = 10

/**
 * Makes the statement that lists a user's authorized apps, at most `limit`, latest expiry first. It never reads all grants: a loose
 * index scan visits each client and scope, and reads a few grants of each. It has the rule of `liveGrant`, but looks up the epoch
 * once per client.
 * @param limit maximum rows of the result
 */
export function authorizedAppsStatement (
  limit: number,
  postgresql: boolean
): (userId: string, now: Date, formTokenTtl: number) => Sql {
  const seconds = (column: string) => postgresql ? `EXTRACT(EPOCH FROM ${column})` : `unixepoch(${column})`
  // Not the bare column: SQLite would use the index on expires_at, and sort.
  const inTime = raw('COALESCE(expires_at, created_at)')
  const live = raw('revoked_at IS NULL')
  const currentEpoch = raw(grantEpoch('person.user_id', 'app.client_id'))
  const consentEpoch = raw(accessEpoch('consent.user_id', 'consent.client_id'))
  const isGrantOf = (part: string) =>
    raw(`access_grant.user_id = ${part}.user_id AND access_grant.client_id = ${part}.client_id AND access_grant.epoch = ${part}.epoch`)
  const lifetime = raw(`${seconds('expires_at')} - ${seconds('created_at')}`)

  return (userId, now, formTokenTtl) => sql`
    WITH RECURSIVE app (client_id, number) AS (
      SELECT (SELECT MIN(client_id) FROM access_grant WHERE user_id = ${userId}), 1
      UNION ALL
      SELECT (SELECT MIN(client_id) FROM access_grant WHERE user_id = ${userId} AND client_id > app.client_id), number + 1 FROM app
      WHERE client_id IS NOT NULL AND number < ${raw(String(MAX_APPS))}
    ), current (user_id, client_id, epoch) AS MATERIALIZED (
      SELECT person.user_id, app.client_id, ${currentEpoch}
      FROM app CROSS JOIN (SELECT id AS user_id FROM user_account WHERE id = ${userId}) AS person WHERE app.client_id IS NOT NULL
    ), found (client_id, user_id, epoch, ends, allowed) AS MATERIALIZED (
      SELECT client_id, user_id, epoch, (
        SELECT expires_at FROM access_grant WHERE ${isGrantOf('current')} AND expires_at > ${now} AND ${live}
        ORDER BY expires_at DESC LIMIT 1), NULL
      FROM current
      UNION ALL
      SELECT client_id, NULL, NULL, NULL, MIN(allowed_at)
      FROM consent WHERE user_id = ${userId} AND epoch = ${consentEpoch} GROUP BY client_id
    ), listed AS MATERIALIZED (
      SELECT client.id, client.name, client.registered_by, client.own, client.access_token_ttl AS ttl, client.id AS client_id,
        MAX(user_id) AS user_id, MAX(epoch) AS epoch, MIN(allowed) AS allowed
      FROM found JOIN client ON client.id = found.client_id WHERE client.disabled_at IS NULL AND (ends IS NOT NULL OR allowed IS NOT NULL)
      GROUP BY client.id, client.name, client.registered_by, client.own, client.access_token_ttl
      ORDER BY COALESCE(MAX(ends), MIN(allowed)) DESC LIMIT ${raw(String(limit))}
    ), part (user_id, client_id, epoch, scope, number) AS (
      SELECT user_id, client_id, epoch, (SELECT MIN(scope) FROM access_grant WHERE ${isGrantOf('listed')}), 1 FROM listed
      UNION ALL
      SELECT user_id, client_id, epoch, (
        SELECT MIN(scope) FROM access_grant WHERE ${isGrantOf('part')} AND access_grant.scope > part.scope), number + 1
      FROM part WHERE scope IS NOT NULL AND number < ${raw(String(MAX_SCOPES))}
    ), seen (client_id, scope, since, used) AS MATERIALIZED (
      SELECT client_id, scope,
        (SELECT created_at FROM access_grant WHERE ${isGrantOf('part')} AND access_grant.scope = part.scope
          AND ${inTime} > ${now} AND ${live} ORDER BY created_at LIMIT 1),
        (SELECT created_at FROM access_grant WHERE ${isGrantOf('part')} AND access_grant.scope = part.scope
          AND ${inTime} > ${now} AND ${live} ORDER BY created_at DESC LIMIT 1)
      FROM part WHERE scope IS NOT NULL
    ), held AS MATERIALIZED (
      SELECT client_id, MIN(since) AS since, MAX(used) AS used, STRING_AGG(scope, ' ') AS scope FROM (
        SELECT client_id, scope, since, used FROM seen WHERE since IS NOT NULL
        UNION ALL
        SELECT client_id, scope, NULL, NULL FROM consent WHERE user_id = ${userId} AND epoch = ${consentEpoch}
      ) AS scopes GROUP BY client_id
    ), last AS MATERIALIZED (
      SELECT listed.id AS app_id, access_grant.id AS grant_id, created_at, expires_at,
        created_at > ${new Date(now.getTime() - formTokenTtl * 1_000)} AND ${lifetime} <= ${raw(String(formTokenTtl))} AS short
      FROM listed JOIN access_grant ON access_grant.id IN (
        SELECT access_grant.id FROM access_grant WHERE ${isGrantOf('listed')} AND expires_at > ${now} AND ${live}
        ORDER BY expires_at DESC LIMIT ${raw(String(MAX_LAST_GRANTS))})
    ), ending AS MATERIALIZED (
      SELECT app_id, MAX(CASE WHEN short THEN NULL ELSE expires_at END) AS until, MAX(CASE WHEN short THEN created_at END) AS given,
        MAX((SELECT MAX(refresh_token.created_at) FROM refresh_token WHERE refresh_token.grant_id = last.grant_id)) AS renewed
      FROM last GROUP BY app_id
    )
    SELECT listed.id, listed.name, (SELECT name FROM client_logo WHERE client_id = listed.id), listed.registered_by, listed.own, listed.ttl,
      listed.allowed, held.since, held.used, ending.until, ending.given, ending.renewed, held.scope
    FROM listed JOIN held ON held.client_id = listed.id LEFT JOIN ending ON ending.app_id = listed.id`
}
