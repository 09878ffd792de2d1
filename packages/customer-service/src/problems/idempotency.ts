import { define } from './define.js'

/** The key is malformed. */
export const idempotencyKeyMalformed = define('idempotency-key-malformed', 400, 'Idempotency-Key is not valid', {
  cause: 'Idempotency-Key is repeated, empty, longer than 255 characters, or contains spaces or non-ASCII characters.',
  fix: 'Send one key such as a UUID, with or without quotes: a new key for each customer, the same key for each retry.',
  example:
    'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nIdempotency-Key: "one key", "another"\n\ncustomerid=3&customername=another&customerage=33&customeraddress=piliyandala'
})

/** The key was used with other values. */
export const idempotencyKeyReused = define('idempotency-key-reused', 422, 'This Idempotency-Key was used for another customer', {
  cause: 'The same caller sent this key with different values in the last 24 hours. Nothing was changed.',
  fix: 'Send a new key for a new customer. To retry, send exactly the values of the first request.',
  example:
    'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nIdempotency-Key: "a-key-that-was-used"\n\ncustomerid=1&customername=someone-else&customerage=33&customeraddress=piliyandala'
})

/** A request with the key is in progress. */
export const idempotencyKeyInUse = define('idempotency-key-in-use', 409, 'A request with this Idempotency-Key is in progress', {
  cause: 'The first request with this key is still in progress. This request was not processed.',
  fix: 'Retry with the same key after the seconds in Retry-After.',
  example:
    'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nIdempotency-Key: "a-key-that-is-under-way"\n\ncustomerid=3&customername=another&customerage=33&customeraddress=piliyandala',
  headers: { 'Retry-After': '1' }
})
