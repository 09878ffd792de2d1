import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { lockingList } from '@frontdesk/database/lock-order'
import { UnknownOutcome, type Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { createGrantYield, type CodeYield } from './grant-yield.js'
import { liveClientSession } from './client-session-end.js'
import { liveGrant, notBefore, withheld } from './live-grant.js'
import { createUndo } from './undo-exchange.js'
import { REFRESHED, type Refreshed } from './refresh-family.js'

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
  /** What its ID token repeats (OpenID Connect Core §3.1.2.1). */
  readonly nonce?: string | null
  /** Thumbprint of the key that it is bound to (RFC 9449 §10). */
  readonly dpopJkt?: string | null
  /** `sid` of its ID token, of an app that gets logout tokens; without one, none. */
  readonly sid?: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** The access that a code was exchanged for. */
export interface Exchanged extends Refreshed { readonly nonce: string | null }

/** What an exchange must match. */
export interface CodeExchange extends Pick<AuthorizationCode, 'hash' | 'clientId' | 'codeChallenge'> {
  /** `redirect_uri` of the request; `undefined` if it has none. */
  readonly redirectUri: string | undefined
  /** `resource` of the request (RFC 8707 §2.2); `undefined` if it has none. */
  readonly audience: string | undefined
  /** Thumbprint of the key that the client has proven; `undefined`: none. */
  readonly jkt?: string | undefined
}

/** An exchange to make. */
interface Asked { readonly exchange: CodeExchange, readonly yields: CodeYield, readonly now: Date }

const HOUR = 60 * 60_000

/**
 * Exchanges codes. Every rule is a condition of the first statement of a transaction, which concurrent exchanges of different
 * codes share.
 */
export function createCodeExchange (connection: Connection): (
  exchange: CodeExchange,
  yields: CodeYield,
  now: Date
) => Promise<Exchanged | null> {
  const withdraw = createUndo(connection, 'authorization_code')
  const spending = new ValuesStatement(connection, list => `
    UPDATE authorization_code SET spent_at = column6
    FROM (${lockingList(connection, list, { table: 'authorization_code', key: 'hash', on: 'hash = column1' })}) AS exchange
    WHERE hash = column1 AND client_id = column2 AND code_challenge = column3
      AND (redirect_uri = column4 OR (column4 IS NULL AND NOT callback_named)) AND (audience = column5 OR column5 IS NULL)
      AND (dpop_jkt IS NULL OR dpop_jkt = column7) AND spent_at IS NULL AND expires_at > column6
      AND EXISTS (SELECT 1 FROM access_grant AS given WHERE given.id = authorization_code.grant_id AND ${liveGrant('given')})
      AND (authorization_code.sid IS NULL OR ${liveClientSession('authorization_code')})
    RETURNING hash, grant_id, user_id, scope, audience, auth_time, ${notBefore('authorization_code.user_id', 'authorization_code.client_id')},
      ${withheld('authorization_code.user_id')}, authorization_code.sid, nonce`,
  ['string', 'string', 'string', 'string', 'string', 'datetime', 'string'], { hash: 'string', ...REFRESHED, nonce: 'string?' })
  const grantYield = createGrantYield(connection)
  const withoutPkce = new ValuesStatement(connection, list => `
    UPDATE client SET without_pkce_at = column2 FROM (${lockingList(connection, list, { table: 'client', key: 'id', on: 'id = column1' })}) AS use
    WHERE id = column1 AND (without_pkce_at IS NULL OR without_pkce_at < column2)`, ['string', 'datetime'])

  function * steps (asked: readonly Asked[]): Steps<Map<string, Exchanged>> {
    const spent = new Map((yield * spending.step(asked.map(({ exchange, now }) => {
      const { hash, clientId, codeChallenge, redirectUri = null, audience = null, jkt = null } = exchange
      return [hash, clientId, codeChallenge, redirectUri, audience, now, jkt]
    }))).map(row => [row.hash, row]))
    const done = asked.flatMap(it => {
      const granted = spent.get(it.exchange.hash)
      return granted === undefined ? [] : [{ ...it, ...granted }]
    })
    const live = yield * grantYield(done.map(({ exchange: { clientId }, ...it }) => ({ clientId, ...it })))
    // Rounded to the hour: less contention on the row of the client.
    const uses = new Map(done.filter(({ exchange }) => exchange.codeChallenge === '')
      .toSorted((one, other) => one.now.getTime() - other.now.getTime())
      .map(({ exchange, now }) => [exchange.clientId, new Date(Math.floor(now.getTime() / HOUR) * HOUR)]))
    if (uses.size > 0) yield withoutPkce.query([...uses])
    return new Map([...spent].filter(([, { grantId }]) => live.has(grantId)))
  }

  const exchanges = new Batch(async (asked: Asked[], mode) => {
    let granted = new Map<string, Exchanged>()
    try {
      await connection.transact(function * () { granted = yield * steps(asked) }, mode)
      return asked.map(({ exchange }) => granted.get(exchange.hash) ?? null)
    } catch (error) {
      if (error instanceof UnknownOutcome) {
        // Only these: the row of a used code distinguishes a replay from a retry.
        const unknown = asked.filter(({ exchange }) => granted.has(exchange.hash))
          .map(({ exchange: { hash }, yields }) => ({ hash, familyHash: yields.refreshToken?.familyHash ?? null }))
        if (unknown.length > 0) await withdraw(unknown)
      }
      throw error
    }
  }, { concurrency: connection.concurrency, keyOf: ({ exchange }) => exchange.hash })
  return (exchange, yields, now) => exchanges.ask({ exchange, yields, now })
}
