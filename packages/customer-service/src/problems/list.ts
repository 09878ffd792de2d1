import { define } from './define.js'

/** The parameters of a list are not valid. */
export const queryInvalid = define('query-invalid', 400, 'The parameters are not valid', {
  cause:
    'A parameter is unknown, repeated or has a value that is not allowed, or the cursor belongs to another list. errors names each one.',
  fix: 'Correct every parameter in errors. Send the cursor with the same sort and filters as the page it came from.',
  example: 'GET /rest/qa/customer?sort=size&limt=10\nAuthorization: Bearer a-token'
})
