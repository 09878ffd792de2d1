import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Columns, Row } from '@frontdesk/database/rows'
import { executeStep, join, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import { after, CODE_TTL, FORM_TOKEN_TTL } from '../../lifetimes.js'
import { registrarOf } from '../../oauth/identity.js'
import { describedScopes } from '../../oauth/openid-scopes.js'
import { createAccessEnd } from '../access/end-access.js'
import { grantEpoch, hasAccess } from '../access/live-grant.js'
import { authorizedAppsStatement, MAX_LAST_GRANTS } from './authorized-apps-statement.js'

/** Opens the clients that users have authorized, by grants and by remembered consent. */
export function openAuthorizedApps (connection: Connection) {
  const access = createAccessEnd(connection)
  const now = raw(databaseTime(connection))
  return {
    of: openAuthorizedAppsList(connection),
    /** When a client last got a token for each of the given users. Omits users for whom it has no live grant. */
    lastUses: openLastUses(connection),
    /** The scopes that a client has for a user and a resource, by the live grants that expire last. */
    async scope ({ userId, clientId, audience }: { userId: string, clientId: string, audience: string }): Promise<string[]> {
      const [found] = await query(connection, { scope: 'string?' }, sql`
        SELECT (SELECT STRING_AGG(scope, ' ') FROM access_grant WHERE id IN (
          ${lastGrants(sql`AND audience = ${audience} AND expires_at > ${now}`)}))
        FROM user_account JOIN client ON client.id = ${clientId} WHERE user_account.id = ${userId}`)
      return found?.scope?.split(' ') ?? []
    },
    /**
     * Atomic: revokes all tokens that the client has for the user, including those in flight, and forgets remembered consent.
     * Returns `null` for an unknown client; otherwise, how many scopes were remembered, and whether the client had access: a live
     * grant or current consent.
     */
    remove: (userId: string, clientId: string) => connection.transact(function * () {
      const [client] = yield * queryStep(connection, { hadAccess: 'boolean' }, sql`
        SELECT ${hasAccess(sql`${userId}`, sql`client.id`, now)} FROM client WHERE id = ${clientId}`)
      if (client === undefined) return null
      yield * access.steps([{ userId, clientId }])
      yield * queryStep(connection, {}, sql`DELETE FROM app_use WHERE user_id = ${userId} AND client_id = ${clientId}`)
      // Consent that is added concurrently has the old epoch, so it does not count.
      const remembered = yield * executeStep(connection, sql`DELETE FROM consent WHERE user_id = ${userId} AND client_id = ${clientId}`)
      return { ...client, remembered }
    })
  }
}

/** The ids of the grants of a user and a client that expire last. */
function lastGrants (condition = sql``): Sql {
  return sql`
    SELECT id FROM access_grant
    WHERE user_id = user_account.id AND client_id = client.id AND epoch = ${raw(grantEpoch('user_account.id', 'client.id'))}
      AND revoked_at IS NULL ${condition}
    ORDER BY expires_at DESC LIMIT ${MAX_LAST_GRANTS}`
}

function openLastUses (connection: Connection) {
  const grants = lastGrants()
  return async (clientId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Date>> => {
    if (userIds.length === 0) return new Map()
    const rows = await query(connection, { id: 'string', used: 'datetime?', renewed: 'datetime?' }, sql`
      SELECT user_account.id, (SELECT MAX(created_at) FROM access_grant WHERE id IN (${grants})),
        (SELECT MAX(created_at) FROM refresh_token WHERE grant_id IN (${grants}))
      FROM user_account JOIN client ON client.id = ${clientId} WHERE user_account.id IN (${join([...userIds])})`)
    return new Map(rows.flatMap(({ id, used, renewed }) => {
      const last = latest(used, renewed)
      return last === null ? [] : [[id, last] as const]
    }))
  }
}

const MAX_APPS = 100

const scopes = Object.keys(describedScopes)

const COLUMNS = {
  id: 'string',
  name: 'string',
  logoName: 'string?',
  registeredBy: 'string',
  own: 'boolean',
  /** Lifetime of the client's access tokens, in seconds. */
  ttl: 'int?',
  /** Time of the first remembered consent, and of the oldest and the newest live grant. */
  allowed: 'datetime?',
  since: 'datetime?',
  used: 'datetime?',
  /** Latest expiry of grants that record when their tokens expire, and time of the newest other grant. */
  until: 'datetime?',
  given: 'datetime?',
  /** When the last refresh token was issued. */
  renewed: 'datetime?',
  /** Scopes of all live grants and of remembered consent, separated by spaces, with duplicates. */
  scope: 'string'
} as const satisfies Columns

/**
 * Lists a user's authorized apps, most recently used first: at most 100, and whether there are more. One statement, with index
 * seeks only: the cost does not grow with the number of grants. `accessTokenTtl`: lifetime of the access tokens of a client without
 * its own, in seconds.
 */
function openAuthorizedAppsList (connection: Connection) {
  const statement = authorizedAppsStatement(MAX_APPS + 1, connection.dialect === 'postgresql')
  return async (userId: string, now: Date, accessTokenTtl: number) => {
    const rows = await query(connection, COLUMNS, statement(userId, now, FORM_TOKEN_TTL))
    const authorizedApps = rows.slice(0, MAX_APPS).map(row => readApp(row, accessTokenTtl))
      .filter(({ endsAt, isRemembered }) => isRemembered || (endsAt !== null && after(endsAt, CODE_TTL) > now))
    const order = ({ lastUsed, since }: ReturnType<typeof readApp>) => (lastUsed ?? since).getTime()
    return { authorizedApps: authorizedApps.sort((one, other) => order(other) - order(one)), more: rows.length > MAX_APPS }
  }
}

/** A client with access to a user's account. */
function readApp (row: Row<typeof COLUMNS>, accessTokenTtl: number) {
  const held = new Set(row.scope.split(' '))
  return {
    client: { id: row.id, name: row.name, logoName: row.logoName, registeredBy: registrarOf(row.registeredBy), own: row.own },
    /** The known ones. */
    scope: scopes.filter(scope => held.has(scope)),
    /** When the oldest of them was granted. as: a row has a grant or remembered consent. */
    since: [row.since, row.allowed].filter(time => time !== null)
      .sort((one, other) => one.getTime() - other.getTime())[0] as Date,
    /** When the client last got a token; `null` without a live grant. */
    lastUsed: latest(row.used, row.renewed),
    /** Expiry of its last token, past or future; `null` without a live grant. */
    endsAt: latest(row.until, row.given && after(row.given, row.ttl ?? accessTokenTtl)),
    /** Whether consent is remembered, so that the client gets tokens without asking the user. */
    isRemembered: row.allowed !== null
  }
}

function latest (one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one
}
