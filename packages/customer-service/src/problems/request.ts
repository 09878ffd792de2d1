import { define } from './define.js'

export const requestMalformed = define('request-malformed', 400, 'The request is not valid HTTP', {
  cause: 'The request line, a header field or the framing of the body violates HTTP, or Host is missing or repeated. The connection is closed if the start of the next request is ambiguous.',
  fix: 'Use an HTTP client library, or compare the request with RFC 9112.',
  example: 'GET /rest/qa/customer/1 HTTP/1.1\nContent-Length: 1\nTransfer-Encoding: chunked'
})

export const pathUnknown = define('path-unknown', 404, 'Path not found', {
  cause: 'This service has no such path. Paths are case-sensitive, and double slashes count.',
  fix: 'Compare the path with /openapi.json.',
  example: 'GET /rest/qa/Customer/1'
})

export const methodNotAllowed = define('method-not-allowed', 405, 'Method not allowed', {
  cause: 'The path exists, but does not support this method. Headers that override the method are ignored.',
  fix: 'Use one of the methods in Allow.',
  example: 'PATCH /rest/qa/customer'
})

export const queryInvalid = define('query-invalid', 400, 'The parameters are not valid', {
  cause: 'A parameter is unknown, repeated or has a value that is not allowed, or the cursor belongs to another list. errors names each one.',
  fix: 'Correct every parameter in errors. Send the cursor with the same sort and filters as the page it came from.',
  example: 'GET /rest/qa/customer?sort=size&limt=10\nAuthorization: Bearer a-token'
})

export const requestTimeout = define('request-timeout', 408, 'The request took too long', {
  cause: 'The headers or the body did not arrive in time. The connection is closed.',
  fix: 'Send the request again. Headers have 10 seconds, the whole request 20. An import may take longer, but must send 64 KiB a minute.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 100\n\ncustomerid=1'
})

export const notAcceptable = define('not-acceptable', 406, 'No acceptable representation', {
  cause: 'Accept allows neither text/plain (the name) nor application/json (the whole record), both in UTF-8. A list is application/json only.',
  fix: 'Send Accept: text/plain or Accept: application/json, or omit it.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token\nAccept: application/xml'
})

export const bodyTooLarge = define('body-too-large', 413, 'The body is too large', {
  cause: 'The body has more than 16384 bytes or, at /mcp, 65536.',
  fix: 'Send only the fields of the operation.',
  example: 'POST /rest/qa/customer\nContent-Length: 16385'
})

export const mediaTypeUnsupported = define('media-type-unsupported', 415, 'The content type is not supported', {
  cause: 'Content-Type is missing, malformed or not one of those in Accept, its charset is not utf-8, or the body is compressed. /rest/qa/customer accepts forms only.',
  fix: 'Send a Content-Type listed in Accept, and no Content-Encoding.',
  example: 'PUT /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/json\n\n{"customername":"charitha"}'
})

export const headersTooLarge = define('headers-too-large', 431, 'The headers are too large', {
  cause: 'The request line and the header fields have more than 16384 bytes. The connection is closed.',
  fix: 'Send fewer or shorter header fields. In a browser, delete the cookies of this site.',
  example: 'GET /rest/qa/customer/1\nX-Long: more than 16 KiB'
})

export const idempotencyKeyMalformed = define('idempotency-key-malformed', 400, 'Idempotency-Key is not valid', {
  cause: 'Idempotency-Key is repeated, empty, longer than 255 characters, or contains spaces or non-ASCII characters.',
  fix: 'Send one key such as a UUID, with or without quotes: a new key for each customer, the same key for each retry.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nIdempotency-Key: "one key", "another"\n\ncustomerid=3&customername=another&customerage=33&customeraddress=piliyandala'
})

export const idempotencyKeyReused = define('idempotency-key-reused', 422, 'This Idempotency-Key was used for another request', {
  cause: 'The same caller sent this key with different values, or another file, in the last 24 hours. Nothing was changed.',
  fix: 'Send a new key for a new customer or file. To retry, send exactly the values or the file of the first request.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nIdempotency-Key: "a-key-that-was-used"\n\ncustomerid=1&customername=someone-else&customerage=33&customeraddress=piliyandala'
})

export const idempotencyKeyInUse = define('idempotency-key-in-use', 409, 'A request with this Idempotency-Key is in progress', {
  cause: 'The first request with this key is still in progress. This request was not processed.',
  fix: 'Retry with the same key after the seconds in Retry-After.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\nIdempotency-Key: "a-key-that-is-under-way"\n\ncustomerid=3&customername=another&customerage=33&customeraddress=piliyandala',
  headers: { 'Retry-After': '1' }
})
