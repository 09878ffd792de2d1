import { define } from './define.js'

/** The database does not answer. */
export const databaseUnavailable = define('database-unavailable', 503, 'The customer register does not answer', {
  cause: 'The database is away, locked, full or read-only. A write that was answered so may or may not have been made.',
  fix: 'Try again after the seconds in Retry-After. A repeated POST answers 409 if the first one was made after all.',
  example: 'GET /rest/qa/customer/1',
  headers: { 'Retry-After': '2' }
})

/** A mistake in this service. */
export const internalError = define('internal-error', 500, 'Something went wrong here', {
  cause: 'A mistake in this service, not in the request.',
  fix: 'Tell the operator the requestId; the log has the reason under it.',
  example: 'GET /rest/qa/customer/1'
})
