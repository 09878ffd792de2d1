import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockRows } from '@frontdesk/database/lock-order'
import type { Row } from '@frontdesk/database/rows'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { authorizationCode } from '../../generated/tables.js'
import { liveClientSession } from '../access/client-session-end.js'
import { liveGrant } from '../access/live-grant.js'
import { createExchange, createTokenInsertion, type NewTokens } from './token-insertion.js'
import { REFRESHED, refreshedColumns, type Refreshed } from './refresh-family.js'

/** The columns of {@link AuthorizationCode} that every code has, and the others. */
const { spentAt: _, nonce, dpopJkt, sid, ...required } = authorizationCode.columns
const optional = { nonce, dpopJkt, sid }

/** The columns of a new code. */
export const CODE = { ...required, ...optional }

/** An authorization code (RFC 6749 §4.1.2). */
export type AuthorizationCode = Row<typeof required> & Partial<Row<typeof optional>>

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
interface Asked { readonly exchange: CodeExchange, readonly yields: NewTokens, readonly now: Date }

const HOUR = 60 * 60_000

/**
 * Exchanges codes. Every rule is a condition of the first statement of a transaction, which concurrent exchanges of different
 * codes share.
 */
export function createCodeExchange (connection: Connection): (
  exchange: CodeExchange,
  yields: NewTokens,
  now: Date
) => Promise<Exchanged | null> {
  const row = { hash: 'string', ...REFRESHED, nonce: 'string?' } as const
  const spending = listStatement(connection, {
    entry: {
      ...pick(authorizationCode, 'hash', 'clientId', 'codeChallenge'), redirectUri: 'string?', audience: 'string?', jkt: 'string?', now: 'datetime'
    },
    sql: entries => `
      UPDATE authorization_code SET spent_at = entry.now
      FROM ${lockRows(connection, entries, { table: 'authorization_code', key: 'hash', on: 'authorization_code.hash = entry.hash' })}
      WHERE authorization_code.hash = entry.hash AND authorization_code.client_id = entry.client_id
        AND authorization_code.code_challenge = entry.code_challenge
        AND (authorization_code.redirect_uri = entry.redirect_uri OR (entry.redirect_uri IS NULL AND NOT callback_named))
        AND (authorization_code.audience = entry.audience OR entry.audience IS NULL)
        AND (dpop_jkt IS NULL OR dpop_jkt = entry.jkt) AND spent_at IS NULL AND expires_at > entry.now
        AND EXISTS (SELECT 1 FROM access_grant AS given WHERE given.id = authorization_code.grant_id AND ${liveGrant('given')})
        AND (authorization_code.sid IS NULL OR ${liveClientSession('authorization_code')})
      RETURNING ${refreshedColumns(row, 'authorization_code')}`,
    row
  })
  const grantYield = createTokenInsertion(connection)
  const withoutPkce = listStatement(connection, {
    entry: { id: 'string', usedAt: 'datetime' },
    sql: entries => `
      UPDATE client SET without_pkce_at = entry.used_at
      FROM ${lockRows(connection, entries, { table: 'client', key: 'id', on: 'client.id = entry.id' })}
      WHERE client.id = entry.id AND (without_pkce_at IS NULL OR without_pkce_at < entry.used_at)`
  })

  function * steps (asked: readonly Asked[]): Steps<Map<string, Exchanged>> {
    const rows = yield * spending.step(asked.map(({ exchange: { redirectUri = null, audience = null, jkt = null, ...exchange }, now }) =>
      ({ ...exchange, redirectUri, audience, jkt, now })))
    const spent = new Map(rows.map(row => [row.hash, row]))
    const done = asked.flatMap(it => {
      const granted = spent.get(it.exchange.hash)
      return granted === undefined ? [] : [{ ...it, ...granted }]
    })
    const live = yield * grantYield(done.map(({ exchange: { clientId }, ...it }) => ({ clientId, ...it })))
    // Rounded to the hour: less contention on the row of the client.
    const uses = new Map(done.filter(({ exchange }) => exchange.codeChallenge === '')
      .toSorted((one, other) => one.now.getTime() - other.now.getTime())
      .map(({ exchange, now }) => [exchange.clientId, new Date(Math.floor(now.getTime() / HOUR) * HOUR)]))
    yield * withoutPkce.step([...uses].map(([id, usedAt]) => ({ id, usedAt })))
    return new Map([...spent].filter(([, { grantId }]) => live.has(grantId)))
  }

  const exchange = createExchange<Asked, Exchanged>(connection, {
    table: 'authorization_code', hashOf: ({ exchange }) => exchange.hash, steps, isMade: it => it !== undefined
  })
  const exchanges = new Batcher(async (asked: Asked[], mode) => {
    const granted = await exchange(asked, mode)
    return asked.map(({ exchange }) => granted.get(exchange.hash) ?? null)
  }, { concurrency: connection.concurrency, keyOf: ({ exchange }) => exchange.hash })
  return (exchange, yields, now) => exchanges.run({ exchange, yields, now })
}
