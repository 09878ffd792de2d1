import type { Outcome } from '@frontdesk/database/standby'
import { Event } from '@frontdesk/service-kit/telemetry/event'

/** An access token was checked; `remembered`: by the token cache. */
export const tokenChecked = new Event<{ outcome: 'accepted' | 'remembered' | 'refused' | 'unavailable' }>('frontdesk.token-check')

/** The DPoP proof of a request was checked. */
export const proofChecked = new Event<{ outcome: 'accepted' | 'without nonce' | 'refused' }>('frontdesk.proof-check')

/** The revocation feed was fetched; `outcome`: `ok`, or the failure. */
export const revocationsFetched = new Event<{ outcome: string }>('frontdesk.revocations-fetch')

/** The key set was fetched; `outcome`: `ok`, or the failure. */
export const keysFetched = new Event<{ outcome: string }>('frontdesk.keys-fetch')

/** A list was read in a service with a standby; `error`: why the standby failed. */
export const standbyAsked = new Event<{ outcome: Outcome, error: unknown }>('frontdesk.standby-ask')

/** A request was counted for the rate limit; `failed`: it could not be counted, and was accepted. */
export const requestCounted = new Event<{ outcome: 'accepted' | 'refused' | 'failed' }>('frontdesk.request-count')

/** An assistant called a tool; `refused`: by a rule. */
export const toolCalled = new Event<{ tool: string, outcome: 'ok' | 'refused' | 'failed' }>('frontdesk.tool-call')

/** An event stream opened or closed; `open`: how many are open. */
export const streamsCounted = new Event<{ open: number }>('frontdesk.event-streams')

/** The enabled webhooks were read; `behind`: how many events each has still to get, by id. */
export const webhooksLooked = new Event<{ behind: Record<string, number> }>('frontdesk.webhooks')
