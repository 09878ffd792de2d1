import type { Connection } from '@frontdesk/database/connection'
import { UnknownOutcome, type Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { liveGrant, notBefore } from './live-grant.js'
import { createUndo } from './undo-exchange.js'
import { REFRESHED, type Refreshed } from './refresh-tokens.js'

/** An authorization code (RFC 6749 §4.1.2). */
export interface AuthorizationCode {
  /** SHA-256 of the code, base64url. */
  readonly hash: string
  /** The access grant that it belongs to. */
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  /** The callback that it was sent to. */
  readonly redirectUri: string
  /** Whether the request named the callback, so that the exchange has to (RFC 6749 §4.1.3). */
  readonly callbackNamed: boolean
  /** SHA-256 of the verifier, base64url; empty if the request had no challenge. */
  readonly codeChallenge: string
  /** Space-separated. */
  readonly scope: string
  readonly audience: string
  readonly authTime: Date
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** What an exchange must match. */
export interface CodeExchange extends Pick<AuthorizationCode, 'hash' | 'clientId' | 'codeChallenge'> {
  /** `redirect_uri` of the request; `undefined` if it has none. */
  readonly redirectUri: string | undefined
  /** `resource` of the request (RFC 8707 §2.2); `undefined` if it has none. */
  readonly audience: string | undefined
}

/** What an exchange creates. */
export interface CodeYield {
  /** The first refresh token of the grant; `null`: none. */
  readonly refreshToken: { readonly hash: string, readonly familyHash: string, readonly expiresAt: Date, readonly endsAt: Date } | null
  /** When the last token of the grant expires. */
  readonly grantEndsAt: Date
}

const HOUR = 60 * 60_000

/** Exchanges codes, in one transaction each. Every rule is a condition of its first statement. */
export function createCodeExchange (connection: Connection): (exchange: CodeExchange, yields: CodeYield, now: Date) => Promise<Refreshed | null> {
  const withdraw = createUndo(connection)
  const spending = new ValuesStatement(connection, list => `
    UPDATE authorization_code SET spent_at = column6 FROM (${list}) AS exchange
    WHERE hash = column1 AND client_id = column2 AND code_challenge = column3
      AND (redirect_uri = column4 OR (column4 IS NULL AND NOT callback_named)) AND (audience = column5 OR column5 IS NULL)
      AND spent_at IS NULL AND expires_at > column6
      AND EXISTS (SELECT 1 FROM access_grant AS given WHERE given.id = authorization_code.grant_id AND ${liveGrant('given')})
    RETURNING grant_id, user_id, scope, audience, auth_time, ${notBefore('authorization_code.user_id', 'authorization_code.client_id')}`,
  ['string', 'string', 'string', 'string', 'string', 'datetime'], REFRESHED)
  const family = new ValuesStatement(connection, list => `
    INSERT INTO refresh_token (hash, family_hash, grant_id, client_id, user_id, scope, audience, auth_time, created_at, expires_at, ends_at) ${list}`,
  ['string', 'string', 'string', 'string', 'string', 'string', 'string', 'datetime', 'datetime', 'datetime', 'datetime'])
  const extension = new ValuesStatement(connection, list => `
    UPDATE access_grant SET expires_at = column2 FROM (${list}) AS extension WHERE id = column1 AND expires_at < column2`, ['string', 'datetime'])
  const withoutPkce = new ValuesStatement(connection, list => `
    UPDATE client SET without_pkce_at = column2 FROM (${list}) AS use
    WHERE id = column1 AND (without_pkce_at IS NULL OR without_pkce_at < column2)`, ['string', 'datetime'])

  function * steps (exchange: CodeExchange, { refreshToken, grantEndsAt }: CodeYield, now: Date): Steps<Refreshed | null> {
    const { hash, clientId, codeChallenge, redirectUri = null, audience: resource = null } = exchange
    const [granted] = yield * spending.step([[hash, clientId, codeChallenge, redirectUri, resource, now]])
    if (granted === undefined) return null
    const { grantId, userId, scope, audience, authTime } = granted
    if (refreshToken !== null) {
      const { hash, familyHash, expiresAt, endsAt } = refreshToken
      yield family.query([[hash, familyHash, grantId, clientId, userId, scope, audience, authTime, now, expiresAt, endsAt]])
    }
    yield extension.query([[grantId, grantEndsAt]])
    // Rounded to the hour: less contention on the row of the client.
    if (codeChallenge === '') yield withoutPkce.query([[clientId, new Date(Math.floor(now.getTime() / HOUR) * HOUR)]])
    return granted
  }

  return async (exchange, yields, now) => {
    try {
      return await connection.transact(() => steps(exchange, yields, now))
    } catch (error) {
      if (error instanceof UnknownOutcome) await withdraw(exchange.hash, yields.refreshToken?.hash ?? null)
      throw error
    }
  }
}
