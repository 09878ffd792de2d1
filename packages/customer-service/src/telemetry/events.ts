import { Event } from '@frontdesk/service-kit/telemetry/event'

/** An access token was checked; `remembered`: it was in the token cache. */
export const tokenChecked = new Event<{ outcome: 'accepted' | 'remembered' | 'refused' | 'unavailable' }>('frontdesk.token-check')

/** The revocation feed was fetched; `outcome`: `ok`, or the failure. */
export const revocationsFetched = new Event<{ outcome: string }>('frontdesk.revocations-fetch')

/** The key set was fetched; `outcome`: `ok`, or the failure. */
export const keysFetched = new Event<{ outcome: string }>('frontdesk.keys-fetch')
