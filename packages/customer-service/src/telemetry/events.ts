import type { Outcome } from '@frontdesk/database/standby'
import { Event } from '@frontdesk/service-kit/telemetry/event'

/** An access token was checked; `remembered`: it was in the token cache. */
export const tokenChecked = new Event<{ outcome: 'accepted' | 'remembered' | 'refused' | 'unavailable' }>('frontdesk.token-check')

/** The DPoP proof of a request was checked. */
export const proofChecked = new Event<{ outcome: 'accepted' | 'without nonce' | 'refused' }>('frontdesk.proof-check')

/** The revocation feed was fetched; `outcome`: `ok`, or the failure. */
export const revocationsFetched = new Event<{ outcome: string }>('frontdesk.revocations-fetch')

/** The key set was fetched; `outcome`: `ok`, or the failure. */
export const keysFetched = new Event<{ outcome: string }>('frontdesk.keys-fetch')

/** A list was read, where there is a standby; `error`: why the standby failed. */
export const standbyAsked = new Event<{ outcome: Outcome, error: unknown }>('frontdesk.standby-ask')

/** A request was counted, where there is a rate limit; `failed`: it could not be counted, and was let through. */
export const requestCounted = new Event<{ outcome: 'accepted' | 'refused' | 'failed' }>('frontdesk.request-count')

/** An event stream was opened or has ended. */
export const streamsCounted = new Event<{ open: number }>('frontdesk.event-streams')

/** The enabled webhooks were looked up: how many positions each is behind the change feed, by id. */
export const webhooksLooked = new Event<{ behind: Record<string, number> }>('frontdesk.webhooks')
