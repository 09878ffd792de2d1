import { done, named, refused, type Case } from './case.js'

const ADD = 'POST /rest/qa/customer\n\ncustomerid=1&customername=charitha&customerage=33&customeraddress=piliyandala'
const MOVE = 'PUT /rest/qa/customer\n\ncustomername=charitha&customeraddress=colombo'

const PARTS = 'realm="customer-service", resource_metadata="http://localhost:3001/.well-known/oauth-protected-resource", scope="customer:read"'
const CHALLENGE = `Bearer ${PARTS}, DPoP ${PARTS}, algs="ES256 EdDSA Ed25519"`

/** Every case in which a client of the sample may see a difference, and those in which it sees none. */
export const cases: Case[] = [
  {
    what: 'Add a customer',
    request: ADD,
    did: ['≠', '204, no body.'],
    why: 'No body either. 201 confirms the addition, and `location` is its address (RFC 9110 §9.3.3). Send the `etag` in `If-Match` to prevent lost updates.',
    answer: { status: 201, headers: { location: '/rest/qa/customer/1', etag: '"554839195-text"' }, body: '' },
    changes: { 1: 'charitha, piliyandala' }
  },
  {
    what: 'Add a customer whose identifier is taken',
    given: { 1: 'someone else' },
    request: ADD,
    did: ['≠', 'A second row with the identifier.'],
    why: 'An identifier must be unique.',
    answer: refused(409, 'customer-exists')
  },
  {
    what: 'Repeat the same request',
    given: { 1: 'charitha' },
    request: ADD,
    did: ['≠', 'A second row with the identifier.'],
    why: 'Equal values do not prove that this is a retry. `Idempotency-Key` does.',
    answer: refused(409, 'customer-exists')
  },
  {
    what: 'Leave out fields',
    request: 'POST /rest/qa/customer\n\ncustomerid=1&customername=charitha',
    did: ['≠', '0 for a number that is missing, null for a text (`@DefaultValue`).'],
    why: 'Otherwise a missing or misspelt field would be stored as a value. The response names every invalid field.',
    answer: refused(400, 'form-invalid', {}, {
      errors: ['customerage', 'customeraddress'].map(field => ({ field, rule: 'missing', detail: 'Is missing.' }))
    })
  },
  {
    what: 'Add with another content type',
    request: 'POST /rest/qa/customer\nContent-Type: application/json\n\n{"customerid":1,"customername":"charitha","customerage":33,"customeraddress":"piliyandala"}',
    did: ['=', '415, and the method is not invoked (§3.7.2).'],
    why: '`accept` lists the supported types (RFC 9110 §15.5.16).',
    answer: refused(415, 'media-type-unsupported', { accept: 'application/x-www-form-urlencoded' })
  },
  {
    what: 'Add with letters in Latin-1, as old Apache HttpClients write them',
    request: 'POST /rest/qa/customer\n\ncustomerid=1&customername=M%FCller&customerage=33&customeraddress=Z%FCrich',
    did: ['≠', '204: what it stored depended on the charset that the container assumed.'],
    why: '`%FC` is not UTF-8, and guessing the charset would store wrong letters. The fix is below the table.',
    answer: refused(400, 'form-malformed')
  },
  {
    what: 'Read the name',
    given: { 1: 'charitha' },
    request: 'GET /rest/qa/customer/1',
    did: ['=', '200, `text/plain`, the name.'],
    why: 'Exactly the name, without a newline.',
    answer: named('charitha')
  },
  {
    what: 'Read with a slash at the end',
    given: { 1: 'charitha' },
    request: 'GET /rest/qa/customer/1/',
    did: ['=', '200, `text/plain`, the name (§3.7.3).'],
    why: 'The same resource, with the same authorization.',
    answer: named('charitha')
  },
  {
    what: 'Read the record',
    given: { 1: 'charitha' },
    request: 'GET /rest/qa/customer/1\nAccept: application/json',
    did: ['+', '406: only the name was available (§3.7.2).'],
    why: 'The sample could store age and address, but not return them.',
    answer: {
      status: 200,
      headers: { etag: '"554839195-json"', 'content-type': 'application/json; charset=utf-8' },
      body: '{"customerid":1,"customername":"charitha","customerage":33,"customeraddress":"piliyandala"}'
    }
  },
  {
    what: 'Read as another type',
    given: { 1: 'charitha' },
    request: 'GET /rest/qa/customer/1\nAccept: application/xml',
    did: ['=', '406 (§3.7.2).'],
    why: 'Without `Accept`, and for `*/*`, the response is the name.',
    answer: refused(406, 'not-acceptable')
  },
  {
    what: 'Read an unknown customer',
    request: 'GET /rest/qa/customer/404',
    did: ['≠', '500 with a stack trace.'],
    why: 'It is an error of the caller, and a stack trace reveals the implementation.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: 'Read a malformed identifier',
    request: 'GET /rest/qa/customer/charitha',
    did: ['=', '404 (§3.2).'],
    why: 'Here also for 0 and for numbers with a sign.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: 'Change the address by name',
    given: { 1: 'charitha', 2: 'someone else' },
    request: MOVE,
    did: ['=', '204: `UPDATE … WHERE customerName = …`.'],
    why: 'The form has no identifier, so the name identifies the customer. Names match exactly.',
    answer: done,
    changes: { 1: 'charitha, colombo' }
  },
  {
    what: 'Change by an unknown name',
    given: { 1: 'Charitha' },
    request: MOVE,
    did: ['≠', '204, though nothing was changed.'],
    why: 'Reporting success would hide a mistyped name.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: 'Change by an ambiguous name',
    given: { 1: 'charitha', 2: 'charitha' },
    request: MOVE,
    did: ['≠', '204, and all of them were changed.'],
    why: 'Only one is meant; the others would lose their addresses.',
    answer: refused(409, 'name-ambiguous', {}, { total: 2, candidates: [{ customerid: 1, href: '/rest/qa/customer/1' }, { customerid: 2, href: '/rest/qa/customer/2' }] })
  },
  {
    what: '… and add the identifier',
    given: { 1: 'charitha', 2: 'charitha' },
    request: `${MOVE}&customerid=2`,
    did: ['+', '–'],
    why: 'Resolves the conflict of the line above.',
    answer: done,
    changes: { 2: 'charitha, colombo' }
  },
  {
    what: '… with an unknown identifier',
    given: { 1: 'charitha' },
    request: `${MOVE}&customerid=3`,
    did: ['+', '–'],
    why: 'A change never adds a customer.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: '… with the identifier of another customer',
    given: { 1: 'charitha', 2: 'someone else' },
    request: `${MOVE}&customerid=2`,
    did: ['+', '–'],
    why: 'Either the name or the identifier is wrong.',
    answer: refused(409, 'name-differs')
  },
  {
    what: 'Remove a customer',
    given: { 1: 'charitha' },
    request: 'DELETE /rest/qa/customer/1',
    did: ['=', '204.'],
    why: 'The identifier can be reused at once.',
    answer: done,
    changes: { 1: null }
  },
  {
    what: 'Remove an unknown customer',
    given: { 1: 'charitha' },
    request: 'DELETE /rest/qa/customer/404',
    did: ['≠', '204.'],
    why: 'Reporting success would hide a mistyped number.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: 'Use an unsupported method',
    given: { 1: 'charitha' },
    request: 'POST /rest/qa/customer/1',
    did: ['=', '405 (§3.7.2).'],
    why: '`allow` lists the supported methods. Headers that override the method are ignored.',
    answer: refused(405, 'method-not-allowed', { allow: 'GET, HEAD, DELETE, PUT, PATCH, OPTIONS' })
  },
  {
    what: 'Send no access token',
    given: { 1: 'charitha' },
    request: 'GET /rest/qa/customer/1',
    did: ['≠', '200: it had no authentication.'],
    why: 'Personal data needs authorization. With `AUTH=none`, no token is required; all other lines were measured that way.',
    answer: refused(401, 'token-missing', { 'www-authenticate': CHALLENGE }),
    env: { AUTH: 'required' }
  }
]
