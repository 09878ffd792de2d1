import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { query, sql } from '@frontdesk/database/sql'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { boundGrants } from './grant-bounds.js'
import { accessEpoch, grantEpoch, notBefore, withheld } from './live-grant.js'
import { sweepRows } from './sweep.js'

/** A grant: what a resource owner has allowed a client. */
export interface Grant {
  /** The access token's `jti`, or the `grant_id` of all access tokens that come from it. */
  readonly id: string
  /** SHA-256 of the consent page's nonce, base64url. */
  readonly nonceHash: string
  readonly clientId: string
  readonly userId: string
  readonly responseType: string
  /** Space-separated. */
  readonly scope: string
  readonly audience: string
  readonly createdAt: Date
  /** When its tokens, its code and the consent page have expired, and the row is no longer needed. */
  readonly expiresAt: Date
}

/** A grant to record. */
export interface NewGrant extends Grant {
  /** Sum of the access epochs of the person, the client, and the person at the client, read before the consent page was shown. */
  readonly epoch: number
  /** Whether it is given without asking: all its scopes, at least one, are remembered. */
  readonly isSilent: boolean
  /** When its access token expires, at the latest; without one, it gives none by itself. */
  readonly tokensEndAt?: Date
}

/** When access tokens may be issued. */
export interface Issuable {
  /** Earliest `iat` of access tokens; `null`: any. */
  readonly notBefore: Date | null
}

/** A grant that was recorded. */
export interface Recorded extends Issuable {
  /** Scopes that the user cannot grant now, space-separated; `null`: none. */
  readonly withheld: string | null
}

/** The grants, with their spent nonces. */
export interface Grants {
  /**
   * Atomic: records a grant and spends its nonce. Exactly one concurrent caller with a nonce succeeds. Returns `null`, with
   * nothing recorded, if the nonce is spent, the epoch has changed, the person or client is disabled, or consent to a silent
   * grant is no longer remembered. Of the silent grants of a person and client the `MAX_SILENT_GRANTS` used last are kept, those
   * of the last minute, and for a while a few more; of the grants of a person with a refresh token the `MAX_REFRESHABLE_GRANTS`
   * used last, those of the last half hour, and for a while a few more.
   */
  add (grant: NewGrant): Promise<Recorded | null>
  /** Whether the nonce is spent. */
  isSpent (nonceHash: string): Promise<boolean>
  /** The person of a grant or of an access token of the implicit grant; `null` if it is unknown. */
  userOf (id: string): Promise<string | null>
  /** Removes up to `limit` expired grants. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** {@link Grants} in a database. Concurrent grants share a statement. */
export function openGrants (connection: Connection): Grants {
  const additions = addGrants(connection)
  const bound = boundGrants(connection)
  return {
    async add (grant) {
      const given = await additions.ask(grant)
      if (given !== null && grant.responseType === 'code') await bound(grant)
      return given
    },
    async isSpent (nonceHash) {
      return (await query(connection, { id: 'string' }, sql`SELECT id FROM access_grant WHERE nonce_hash = ${nonceHash}`)).length > 0
    },
    async userOf (id) {
      const [grant] = await query(connection, { userId: 'string' }, sql`SELECT user_id FROM access_grant WHERE id = ${id}`)
      return grant?.userId ?? null
    },
    sweep: (now, limit) => sweepRows(connection, { table: 'access_grant', key: 'id', where: sql`expires_at <= ${now}` }, limit)
  }
}

/** Adds grants in batches. */
function addGrants (connection: Connection): Batch<NewGrant, Recorded | null> {
  const addition = createGrantAddition(connection)
  return new Batch(async grants => {
    const added = new Map((await addition.statement.run(grants.map(addition.rowOf))).map(row => [row.id, row]))
    return grants.map(({ id }) => added.get(id) ?? null)
  }, connection)
}

/** The statement that adds grants, and its rows. It returns those that were added. */
export function createGrantAddition (connection: Connection) {
  // The unique nonce decides: a read before the insert is a race that two callers can win.
  const statement = new ValuesStatement(connection, list => `
    WITH entry (id, nonce_hash, client_id, user_id, response_type, scope, audience, created_at, expires_at, epoch, silent_scopes, tokens_end_at) AS (${list})
    INSERT INTO access_grant (id, nonce_hash, client_id, user_id, response_type, scope, audience, created_at, expires_at, is_silent, epoch, tokens_end_at)
    SELECT DISTINCT id, nonce_hash, client_id, user_id, response_type, scope, audience, created_at, expires_at, silent_scopes > 0, epoch, tokens_end_at
    FROM entry
    WHERE epoch = ${grantEpoch('entry.user_id', 'entry.client_id')}
      AND EXISTS (SELECT 1 FROM user_account WHERE user_account.id = entry.user_id AND disabled_at IS NULL)
      AND EXISTS (SELECT 1 FROM client WHERE client.id = entry.client_id AND disabled_at IS NULL)
      AND silent_scopes IN (0, ${rememberedScopes('entry')})
    ORDER BY nonce_hash
    ON CONFLICT DO NOTHING
    RETURNING id, ${notBefore('access_grant.user_id', 'access_grant.client_id')}, ${withheld('access_grant.user_id')}`,
  ['string', 'string', 'string', 'string', 'string', 'string', 'string', 'datetime', 'datetime', 'int', 'int', 'datetime'], {
    id: 'string', notBefore: 'datetime?', withheld: 'string?'
  })
  const rowOf = ({ isSilent, tokensEndAt, ...grant }: NewGrant) => {
    const { id, nonceHash, clientId, userId, responseType, scope, audience, createdAt, expiresAt, epoch } = grant
    const silentScopes = isSilent ? scope.split(' ').length : 0
    const times = [createdAt, expiresAt, epoch, silentScopes, tokensEndAt ?? null] as const
    return [id, nonceHash, clientId, userId, responseType, scope, audience, ...times] as const
  }
  return { statement, rowOf }
}

/** SQL value: how many scopes of an entry are remembered. No LIKE: scopes may hold `%` and `_`. */
function rememberedScopes (entry: string): string {
  return `(SELECT COUNT(*) FROM consent WHERE consent.user_id = ${entry}.user_id AND consent.client_id = ${entry}.client_id
    AND consent.audience = ${entry}.audience AND consent.epoch = ${accessEpoch(`${entry}.user_id`, `${entry}.client_id`)}
    AND replace(' ' || ${entry}.scope || ' ', ' ' || consent.scope || ' ', '') <> ' ' || ${entry}.scope || ' ')`
}
