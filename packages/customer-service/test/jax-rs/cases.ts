import { done, named, refused, type Case } from './case.js'

const ADD = 'POST /rest/qa/customer\n\ncustomerid=1&customername=charitha&customerage=33&customeraddress=piliyandala'
const MOVE = 'PUT /rest/qa/customer\n\ncustomername=charitha&customeraddress=colombo'

/** Every case in which a client of the sample may see a difference, and those in which it sees none. */
export const cases: Case[] = [
  {
    what: 'Add a customer',
    request: ADD,
    did: ['≠', '204, no body.'],
    why: 'No body either. 201 says that something was added, and `location` where it is (RFC 9110 §9.3.3); a change can be made to depend on the `etag`.',
    answer: { status: 201, headers: { location: '/rest/qa/customer/1', etag: '"554839195-text"' }, body: '' },
    changes: { 1: 'charitha, piliyandala' }
  },
  {
    what: 'Add one whose identifier is taken',
    given: { 1: 'somebody else' },
    request: ADD,
    did: ['≠', 'A second row with the identifier.'],
    why: 'An identifier that two customers have identifies neither.',
    answer: refused(409, 'customer-exists')
  },
  {
    what: 'Add the very same once more',
    given: { 1: 'charitha' },
    request: ADD,
    did: ['≠', 'A second row with the identifier.'],
    why: 'The values do not tell whether somebody asks again or has chosen a number that is taken. `Idempotency-Key` does.',
    answer: refused(409, 'customer-exists')
  },
  {
    what: 'Add without saying all',
    request: 'POST /rest/qa/customer\n\ncustomerid=1&customername=charitha',
    did: ['≠', '0 for a number that is missing, null for a text (`@DefaultValue`).'],
    why: 'A field that was forgotten or misspelt would be stored as a value. Every field that is wrong is named at once.',
    answer: refused(400, 'form-invalid', {}, { errors: [{ field: 'customerage', detail: 'Is missing.' }, { field: 'customeraddress', detail: 'Is missing.' }] })
  },
  {
    what: 'Add with another content type',
    request: 'POST /rest/qa/customer\nContent-Type: application/json\n\n{"customerid":1,"customername":"charitha","customerage":33,"customeraddress":"piliyandala"}',
    did: ['=', '415, and the method is not invoked (§3.7.2).'],
    why: '`accept` says what is taken (RFC 9110 §15.5.16).',
    answer: refused(415, 'media-type-unsupported', { accept: 'application/x-www-form-urlencoded' })
  },
  {
    what: 'Add with letters in Latin-1, as old Apache HttpClients write them',
    request: 'POST /rest/qa/customer\n\ncustomerid=1&customername=M%FCller&customerage=33&customeraddress=Z%FCrich',
    did: ['≠', '204: what it stored depended on the charset that the container assumed.'],
    why: '`%FC` is no UTF-8, and to guess would store other letters than were meant. The cure is below the table.',
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
    why: 'It is the same resource, and needs the same token.',
    answer: named('charitha')
  },
  {
    what: 'Read the record',
    given: { 1: 'charitha' },
    request: 'GET /rest/qa/customer/1\nAccept: application/json',
    did: ['+', '406: there was the name only (§3.7.2).'],
    why: 'Age and address could be written, but not read.',
    answer: {
      status: 200,
      headers: { etag: '"554839195-json"', 'content-type': 'application/json; charset=utf-8' },
      body: '{"customerid":1,"customername":"charitha","customerage":33,"customeraddress":"piliyandala"}'
    }
  },
  {
    what: 'Read as something else',
    given: { 1: 'charitha' },
    request: 'GET /rest/qa/customer/1\nAccept: application/xml',
    did: ['=', '406 (§3.7.2).'],
    why: 'Without `Accept`, and for `*/*`, it is the name.',
    answer: refused(406, 'not-acceptable')
  },
  {
    what: 'Read an unknown customer',
    request: 'GET /rest/qa/customer/404',
    did: ['≠', '500 with a stack trace.'],
    why: 'It is no failure of the service; and nobody else has to know how it is made.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: 'Read what cannot be an identifier',
    request: 'GET /rest/qa/customer/charitha',
    did: ['=', '404 (§3.2).'],
    why: 'Here also for 0 and for numbers with a sign, which nobody has.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: 'Change the address of the customer with a name',
    given: { 1: 'charitha', 2: 'somebody else' },
    request: MOVE,
    did: ['=', '204: `UPDATE … WHERE customerName = …`.'],
    why: 'The form has no identifier, so the name says who is meant. Names match exactly.',
    answer: done,
    changes: { 1: 'charitha, colombo' }
  },
  {
    what: 'Change with a name that nobody has',
    given: { 1: 'Charitha' },
    request: MOVE,
    did: ['≠', '204, though nothing was changed.'],
    why: 'Success for what was not done hides a mistyped name.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: 'Change with a name that several have',
    given: { 1: 'charitha', 2: 'charitha' },
    request: MOVE,
    did: ['≠', '204, and all of them were changed.'],
    why: 'One is meant: the others would lose their addresses.',
    answer: refused(409, 'name-ambiguous', {}, { total: 2, candidates: [{ customerid: 1, href: '/rest/qa/customer/1' }, { customerid: 2, href: '/rest/qa/customer/2' }] })
  },
  {
    what: '… and say which',
    given: { 1: 'charitha', 2: 'charitha' },
    request: `${MOVE}&customerid=2`,
    did: ['+', '–'],
    why: 'The way out for who meets the line above.',
    answer: done,
    changes: { 2: 'charitha, colombo' }
  },
  {
    what: '… with an identifier that nobody has',
    given: { 1: 'charitha' },
    request: `${MOVE}&customerid=3`,
    did: ['+', '–'],
    why: 'A change never adds a customer.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: '… with the identifier of somebody else',
    given: { 1: 'charitha', 2: 'somebody else' },
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
    why: 'The identifier may be registered again at once.',
    answer: done,
    changes: { 1: null }
  },
  {
    what: 'Remove an unknown customer',
    given: { 1: 'charitha' },
    request: 'DELETE /rest/qa/customer/404',
    did: ['≠', '204.'],
    why: 'Success for what was not done hides a mistyped number.',
    answer: refused(404, 'customer-unknown')
  },
  {
    what: 'Use a method that is not there',
    given: { 1: 'charitha' },
    request: 'POST /rest/qa/customer/1',
    did: ['=', '405 (§3.7.2).'],
    why: '`allow` has those that are there. Header fields that override the method are not read.',
    answer: refused(405, 'method-not-allowed', { allow: 'GET, HEAD, DELETE, PUT, PATCH, OPTIONS' })
  },
  {
    what: 'Ask without an access token',
    given: { 1: 'charitha' },
    request: 'GET /rest/qa/customer/1',
    did: ['≠', '200: it asked nobody.'],
    why: 'What is known of people is not for everybody. With `AUTH=none` nobody is asked; all the other lines were answered so.',
    answer: refused(401, 'token-missing', { 'www-authenticate': 'Bearer realm="customer-service", resource_metadata="http://localhost:3001/.well-known/oauth-protected-resource"' }),
    env: { AUTH: 'required' }
  }
]
