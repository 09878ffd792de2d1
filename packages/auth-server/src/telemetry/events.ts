import { Event } from '@frontdesk/service-kit/telemetry/event'

/** An attempt to sign in ended. */
export const signInEnded = new Event<{ outcome: 'signed in' | 'wrong' | 'wrong code' | 'throttled' | 'busy' }>('frontdesk.sign-in')

/** An access token was issued. */
export const tokenIssued = new Event<{ grantType: string, client: string }>('frontdesk.token')

/** An email was sent, or failed: after all retries, or because too many are queued; `limited`: sign-up may send no more in this hour. */
export const mailEnded = new Event<{ outcome: 'sent' | 'failed' | 'limited' }>('frontdesk.mail')

/** A request was refused with an error of the protocol. */
export const requestRefused = new Event<{ error: string }>('frontdesk.refusal')

/** A logout token was sent; `dropped`: it failed for the last time. */
export const logoutSent = new Event<{ client: string, outcome: 'delivered' | 'failed' | 'dropped' }>('frontdesk.logout')

/** The clean-up removed expired rows with one statement. */
export const rowsRemoved = new Event<{ table: string, rows: number }>('frontdesk.clean-up')
