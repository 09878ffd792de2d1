import { define } from './define.js'

/** A key that is none. */
export const idempotencyKeyMalformed = define('idempotency-key-malformed', 400, 'Idempotency-Key is not valid', {
  cause: 'Idempotency-Key is repeated, empty, longer than 255 characters, or holds blanks or characters beyond ASCII.',
  fix: 'Send one key such as a UUID, in quotes or without: a new one for each customer to be added, the same one for each attempt.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nIdempotency-Key: "one key", "another"\n\ncustomerid=3&customername=another&customerage=33&customeraddress=piliyandala'
})

/** A key that stands for something else. */
export const idempotencyKeyReused = define('idempotency-key-reused', 422, 'This Idempotency-Key is for another customer', {
  cause: 'The same caller has sent this key with other values in the last 24 hours. Nothing was changed.',
  fix: 'Send a new key for a new customer. To try again, send exactly the values that were sent first.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nIdempotency-Key: "a-key-that-was-used"\n\ncustomerid=1&customername=somebody-else&customerage=33&customeraddress=piliyandala'
})

/** A key that is being used. */
export const idempotencyKeyInUse = define('idempotency-key-in-use', 409, 'A request with this Idempotency-Key is under way', {
  cause: 'The first request with this key has not been answered yet. This one has done nothing.',
  fix: 'Try again with the same key after the seconds in Retry-After.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nIdempotency-Key: "a-key-that-is-under-way"\n\ncustomerid=3&customername=another&customerage=33&customeraddress=piliyandala',
  headers: { 'Retry-After': '1' }
})
