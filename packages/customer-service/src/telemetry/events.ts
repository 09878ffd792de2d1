import { Event } from '@frontdesk/service-kit/telemetry/event'

/** An access token was checked: `remembered` is one whose signature was not checked again. */
export const tokenChecked = new Event<{ outcome: 'accepted' | 'remembered' | 'refused' | 'unavailable' }>('frontdesk.token-check')

/** What was revoked was asked for: `ok`, or why it did not come. */
export const revocationsFetched = new Event<{ outcome: string }>('frontdesk.revocations-fetch')

/** The keys of the authorization server were asked for: `ok`, or why they did not come. */
export const keysFetched = new Event<{ outcome: string }>('frontdesk.keys-fetch')
