import { findNearestCallback, matchesCallback, whyNotCallback, type CallbackDifference } from '../oauth/redirect-uri.js'
import type { Stores } from '../stores/stores.js'
import { findClient } from './unknown.js'
import type { Reason } from '../languages/reason.js'

/** How a redirect URI compares with the registered callbacks of a client. */
interface CallbackCheck {
  /** Whether an authorization request can use it. */
  readonly matches: boolean
  /** The most similar registered callback; `null` if none is registered. */
  readonly nearest: string | null
  /** How it differs from the nearest; `null` if it matches. */
  readonly difference: CallbackDifference | null
  /** Index of the first character that differs from the nearest; `null` if it matches. */
  readonly position: number | null
  /** Why it cannot be registered; `null` if it can. */
  readonly fault: Reason | null
}

/** Compares a redirect URI with the callbacks of a client. @param schemes as for {@link whyNotCallback} @throws Refusal */
export async function checkCallback (
  stores: Pick<Stores, 'clients'>, id: string, uri: string, schemes: readonly string[]
): Promise<CallbackCheck> {
  const client = await findClient(stores, id)
  const nearest = findNearestCallback(uri, client.callbacks)
  const matches = matchesCallback(client, uri)
  return {
    matches,
    nearest: nearest?.uri ?? null,
    difference: matches ? null : nearest?.difference ?? null,
    position: matches ? null : nearest?.position ?? null,
    fault: whyNotCallback(uri, schemes)
  }
}
