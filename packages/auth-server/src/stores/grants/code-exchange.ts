import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockRows } from '@frontdesk/database/lock-order'
import type { Row } from '@frontdesk/database/rows'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { authorizationCode } from '../../generated/tables.js'
import { liveClientSession } from '../access/client-session-end.js'
import { isLiveGrant } from '../access/live-grant.js'
import { createExchange, createTokenInsertion, type NewTokens } from './token-insertion.js'
import { REFRESHED, refreshedColumns, type Refreshed } from './refresh-family.js'

const { spentAt: _, nonce, dpopJkt, sid, ...required } = authorizationCode.columns
const optional = { nonce, dpopJkt, sid }

/** Columns of a new code. */
export const CODE = { ...required, ...optional }

/** An authorization code (RFC 6749 §4.1.2). */
export type AuthorizationCode = Row<typeof required> & Partial<Row<typeof optional>>

/** The access that an exchanged code gives. */
export interface Exchanged extends Refreshed { readonly nonce: string | null }

/** The values that a token request presents with its code. */
export interface CodeExchange extends Pick<AuthorizationCode, 'hash' | 'clientId' | 'codeChallenge'> {
  /** `redirect_uri` of the request; `undefined` if it has none. */
  readonly redirectUri: string | undefined
  /** `resource` of the request (RFC 8707 §2.2); `undefined` if it has none. */
  readonly audience: string | undefined
  /** Thumbprint of the DPoP key that the client has proven; `undefined`: none. */
  readonly jkt?: string | undefined
}

interface PendingExchange { readonly exchange: CodeExchange, readonly newTokens: NewTokens, readonly now: Date }

const HOUR_MS = 60 * 60_000

/**
 * Makes the exchange of codes. The first statement of its transaction checks every rule. Concurrent exchanges of different codes
 * share the transaction.
 */
export function createCodeExchange (connection: Connection): (
  exchange: CodeExchange,
  newTokens: NewTokens,
  now: Date
) => Promise<Exchanged | null> {
  const row = { hash: 'string', ...REFRESHED, nonce: 'string?' } as const
  const spending = listStatement(connection, {
    entry: {
      ...pick(authorizationCode, 'hash', 'clientId', 'codeChallenge'),
      redirectUri: 'string?',
      audience: 'string?',
      jkt: 'string?',
      now: 'datetime'
    },
    sql: entries => `
      UPDATE authorization_code SET spent_at = entry.now
      FROM ${lockRows(connection, entries, { table: 'authorization_code', key: 'hash', on: 'authorization_code.hash = entry.hash' })}
      WHERE authorization_code.hash = entry.hash AND authorization_code.client_id = entry.client_id
        AND authorization_code.code_challenge = entry.code_challenge
        AND (authorization_code.redirect_uri = entry.redirect_uri OR (entry.redirect_uri IS NULL AND NOT callback_named))
        AND (authorization_code.audience = entry.audience OR entry.audience IS NULL)
        AND (dpop_jkt IS NULL OR dpop_jkt = entry.jkt) AND spent_at IS NULL AND expires_at > entry.now
        AND ${isLiveGrant('authorization_code.grant_id')}
        AND (authorization_code.sid IS NULL OR ${liveClientSession('authorization_code')})
      RETURNING ${refreshedColumns(row, 'authorization_code')}`,
    row
  })
  const insertTokens = createTokenInsertion(connection)
  const withoutPkce = listStatement(connection, {
    entry: { id: 'string', usedAt: 'datetime' },
    sql: entries => `
      UPDATE client SET without_pkce_at = entry.used_at
      FROM ${lockRows(connection, entries, { table: 'client', key: 'id', on: 'client.id = entry.id' })}
      WHERE client.id = entry.id AND (without_pkce_at IS NULL OR without_pkce_at < entry.used_at)`
  })

  function * steps (asked: readonly PendingExchange[]): Steps<Map<string, Exchanged>> {
    const rows = yield * spending.step(asked.map(({ exchange: { redirectUri = null, audience = null, jkt = null, ...exchange }, now }) =>
      ({ ...exchange, redirectUri, audience, jkt, now })))
    const spent = new Map(rows.map(row => [row.hash, row]))
    const done = asked.flatMap(it => {
      const granted = spent.get(it.exchange.hash)
      return granted === undefined ? [] : [{ ...it, ...granted }]
    })
    const live = yield * insertTokens(done.map(({ exchange: { clientId }, ...it }) => ({ clientId, ...it })))
    // Rounded to the hour, so that a client's row is rarely updated.
    const uses = new Map(done.filter(({ exchange }) => exchange.codeChallenge === '')
      .toSorted((one, other) => one.now.getTime() - other.now.getTime())
      .map(({ exchange, now }) => [exchange.clientId, new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)]))
    yield * withoutPkce.step([...uses].map(([id, usedAt]) => ({ id, usedAt })))
    return new Map([...spent].filter(([, { grantId }]) => live.has(grantId)))
  }

  const exchange = createExchange<PendingExchange, Exchanged>(connection, {
    table: 'authorization_code', hashOf: ({ exchange }) => exchange.hash, steps, isMade: it => it !== undefined
  })
  const exchanges = new Batcher(async (asked: PendingExchange[], mode) => {
    const granted = await exchange(asked, mode)
    return asked.map(({ exchange }) => granted.get(exchange.hash) ?? null)
  }, { concurrency: connection.concurrency, keyOf: ({ exchange }) => exchange.hash })
  return (exchange, newTokens, now) => exchanges.run({ exchange, newTokens, now })
}
