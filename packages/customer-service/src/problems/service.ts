import { define } from './define.js'

export const databaseUnavailable = define('database-unavailable', 503, 'The customer register is not available', {
  cause: 'The database is unreachable, locked or full. A write might have been committed. If detail says that the database is read-only, nothing was changed, and reads still succeed.',
  fix: 'Retry after the seconds in Retry-After. A repeated POST returns 409 if the first one was committed, or the same response with an Idempotency-Key. If the register is read-only, the operator has to make it writable.',
  example: 'DELETE /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '2' }
})

export const serviceOverloaded = define('service-overloaded', 503, 'The service is overloaded', {
  cause:
    'Requests wait for longer than a second, so the service sheds load. Or one process has reached its limit of event streams or ' +
    'imports, in total or for one user and app. This request was not processed. ' +
    'Or the process stopped before the body arrived: nothing was processed but the part of an import that report describes.',
  fix: 'Retry after the seconds in Retry-After, then with exponential backoff. Send fewer requests concurrently.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '2' }
})

export const internalError = define('internal-error', 500, 'Internal error', {
  cause: 'A bug in this service, not in the request.',
  fix: 'Send the requestId to the operator, who can find the reason in the log.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token'
})
