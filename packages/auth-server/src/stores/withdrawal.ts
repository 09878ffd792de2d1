import type { Connection } from '@frontdesk/database/connection'
import { isUnavailable } from '@frontdesk/database/unavailable'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { setTimeout } from 'node:timers/promises'
import pRetry from 'p-retry'

/** How long an answer waits for it, in milliseconds: a refusal is due 3 s after its request. */
const WAIT = 500

/** When to try again, and for how long, in milliseconds. */
const RETRIES = { minTimeout: 100, maxTimeout: 500, maxRetryTime: 120_000, retries: 1_000, unref: true }

/**
 * Makes what removes a code and the refresh token that it gave, where the outcome of the exchange is unknown: nobody has
 * received them, and a retry must not look like a stolen code. Resolves after at most {@link WAIT}; goes on in the background.
 */
export function createWithdrawal (connection: Connection): (codeHash: string, refreshHash: string | null) => Promise<void> {
  // Both wait for the lock of the transaction, if that still ends.
  const codes = new ValuesStatement(connection, list => `DELETE FROM authorization_code WHERE hash IN (${list})`, ['string'])
  const refreshTokens = new ValuesStatement(connection, list => `DELETE FROM refresh_token WHERE hash IN (${list})`, ['string'])
  return async (codeHash, refreshHash) => {
    const removal = pRetry(() => connection.transact(function * () {
      yield codes.query([[codeHash]])
      if (refreshHash !== null) yield refreshTokens.query([[refreshHash]])
    }), { ...RETRIES, shouldRetry: ({ error }) => isUnavailable(error) })
    // What is left after that is a spent code, whose retry ends a grant without tokens.
    const ended = removal.catch(() => {})
    await Promise.race([ended, setTimeout(WAIT, undefined, { ref: false })])
  }
}
