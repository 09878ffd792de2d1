import { define } from './define.js'

/** The parameters of a list cannot be used. */
export const queryInvalid = define('query-invalid', 400, 'The parameters are not valid', {
  cause: 'A parameter is unknown, repeated or holds a value that is not allowed, or the cursor is of another list. The member errors names each one.',
  fix: 'Correct every parameter in errors. The cursor of the next page goes with the same sort and filters as the page before.',
  example: 'GET /rest/qa/customer?sort=size&limt=10\nAuthorization: Bearer a-token'
})
