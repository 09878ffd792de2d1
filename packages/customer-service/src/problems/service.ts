import { define } from './define.js'

/** The database does not answer, or cannot be written. */
export const databaseUnavailable = define('database-unavailable', 503, 'The customer register cannot be used', {
  cause: 'The database is away, locked or full: a write that was answered so may or may not have been made. Or it can only be read, as detail says then: nothing was changed, and reading goes on.',
  fix: 'Try again after the seconds in Retry-After. A repeated POST answers 409 if the first one was made after all, or the same as that with an Idempotency-Key. If the register can only be read, the operator has to make it writable.',
  example: 'DELETE /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '2' }
})

/** More requests than can be answered in time. */
export const serviceOverloaded = define('service-overloaded', 503, 'Too many requests arrive', {
  cause: 'The service has more to do than it can: requests wait for longer than half a second. Nothing of this one was looked at or changed.',
  fix: 'Try again after the seconds in Retry-After, then with growing pauses. Send fewer requests at once.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '2' }
})

/** A mistake in this service. */
export const internalError = define('internal-error', 500, 'Something went wrong here', {
  cause: 'A mistake in this service, not in the request.',
  fix: 'Tell the operator the requestId; the log has the reason under it.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token'
})
