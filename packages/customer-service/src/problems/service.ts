import { define } from './define.js'

/** The database does not answer, or cannot be written. */
export const databaseUnavailable = define('database-unavailable', 503, 'The customer register is not available', {
  cause:
    'The database does not answer, is locked or full, and a write may or may not have been committed. If detail says that it is read-only, nothing was changed, and reads still succeed.',
  fix: 'Retry after the seconds in Retry-After. A repeated POST returns 409 if the first one was committed, or the same response with an Idempotency-Key. If the register is read-only, the operator has to make it writable.',
  example: 'DELETE /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '2' }
})

/** The service sheds load. */
export const serviceOverloaded = define('service-overloaded', 503, 'The service is overloaded', {
  cause:
    'Requests wait for longer than a second, so the service sheds load. Or one process has as many event streams or imports as it ' +
    'allows, in all or of one person and app. It has not processed this request. ' +
    'Or the process stops, and the body had not arrived: nothing of the request was processed but the part of an import that report has.',
  fix: 'Retry after the seconds in Retry-After, then with exponential backoff. Send fewer requests concurrently.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '2' }
})

/** A bug in this service. */
export const internalError = define('internal-error', 500, 'Something went wrong here', {
  cause: 'A bug in this service, not in the request.',
  fix: 'Report the requestId to the operator; the log has the reason under it.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token'
})
