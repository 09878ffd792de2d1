import t, { type Test } from 'tap'
import { authorizationUrl, erika, Person } from '../support/person.js'
import { answerOf, locationOf, QA, SCOPE, startInterfaces } from '../support/interfaces.js'
import { read } from '../support/sources.js'
import { endStack } from '../support/stack.js'

const { stack, root, token, authorize, allow, call, add, addressOf, lastId } = await startInterfaces(t)

/** Each line of the document, by how it begins in docs/interfaces.md, with its request and the answer to it. */
const lines: Array<[line: string, check: (t: Test) => Promise<unknown>]> = [
  ['"An authorization server accepts', async t => t.equal((await authorize()).status, 302)],
  ['"The client receives the access token as the direct result', async t => {
    t.match(await allow(), /^[^?]*#access_token=/)
    t.notMatch(await allow(), 'code=')
  }],
  ['"The implicit grant does not authenticate', async t => t.match(answerOf(await allow({ client_secret: 'none needed' })), { access_token: /./ })],
  ['"The resource owner (end user) confirms', async t => {
    const { html } = await new Person(stack).open(authorizationUrl(stack))
    for (const piece of ['name="username"', 'name="password"', 'value="allow"', 'value="deny"']) t.match(html, piece)
  }],
  ['"The client then uses the access token', async t => t.equal((await call('GET', QA)).status, 200)],
  ['"A RESTful service stores customers', async t => t.equal((await call('GET', `${QA}/${(await add()).id}`)).status, 200)],
  ['"It can add a customer, read', async t => {
    const { id, name, status } = await add()
    const others = [
      await call('GET', `${QA}/${id}`), await call('PUT', QA, { customername: name, customeraddress: 'galle' }), await call('DELETE', `${QA}/${id}`)
    ]
    t.same([status, ...others.map(({ status }) => status)], [201, 200, 204, 204])
    t.match(await call('OPTIONS', `${QA}/${id}`), { status: 204 })
    t.match((await call('POST', `${QA}/${id}`)), { status: 405 })
  }],
  ['"Request payloads are HTML form encoded', async t => {
    const { id } = await add({ customername: 'a=b&c+d %' })
    t.equal((await call('GET', `${QA}/${id}`)).text, 'a=b&c+d %')
  }],
  ['`response_type`, string', async t => {
    t.match(answerOf(locationOf(await authorize({ response_type: '' }))), { error: 'invalid_request', state: 's', iss: stack.issuer })
    t.match(answerOf(locationOf(await authorize({ response_type: 'tokens' }))), { error: 'unsupported_response_type' })
  }],
  ['`client_id`, string', async t => {
    for (const id of ['', 'nobody']) t.match(await authorize({ client_id: id }), { status: 400, headers: { get: Function } })
    t.equal((await authorize({ client_id: 'nobody' })).headers.get('location'), null)
  }],
  ['`redirect_uri`, string', async t => {
    t.equal((await authorize({ redirect_uri: '' })).status, 302)
    for (const other of ['/', '?a', '#', 'x']) t.equal((await authorize({ redirect_uri: stack.callback + other })).status, 400, other)
  }],
  ['`scope`, string', async t => {
    for (const scope of ['', 'anything', 'é "\\', SCOPE]) t.match(locationOf(await authorize({ scope })), /\/consent\?/, scope)
    t.equal(answerOf(await allow({ scope: `${SCOPE} anything` })).scope, `${SCOPE} anything`)
  }],
  ['"The access token is delivered', async t => t.ok((await allow()).startsWith(`${stack.callback}#access_token=`))],
  ['"Fields of the access token record', async t => {
    // as: a JWT has three parts, the second of which is JSON.
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as object
    for (const name of ['iss', 'sub', 'aud', 'client_id', 'scope', 'iat', 'exp', 'jti', 'auth_time', 'gty']) t.ok(name in claims, name)
  }],
  ['`customerID`, integer', async t => {
    for (const id of ['x', '1.5', '2147483648', '1e3']) t.equal((await add({ customerid: id })).status, 400, id)
    for (const id of [2_147_483_647, 0, -1, -2_147_483_648]) {
      t.equal((await add({ customerid: id })).status, 201, String(id))
      t.equal((await call('GET', `${QA}/${id}`)).status, 200, String(id))
    }
    t.equal((await call('GET', `${QA}/x`)).status, 404)
  }],
  ['"Uniqueness rule', async t => {
    const { id, name } = await add()
    t.equal((await add({ customerid: id })).status, 409)
    t.equal((await call('GET', `${QA}/${id}`)).text, name)
  }],
  ['`customerName`, string', async t => {
    for (const name of ['', '😀'.repeat(100)]) t.equal((await add({ customername: name })).status, 201, name)
    t.equal((await add({ customername: 'x'.repeat(101) })).status, 400)
  }],
  ['`customerAge`, integer', async t => {
    for (const age of [-2_147_483_648, -1, 0, 33, 151, 2_147_483_647]) t.equal((await add({ customerage: age })).status, 201, String(age))
    for (const age of ['', 'x', '1.5', '2147483648']) t.equal((await add({ customerage: age })).status, 400, age)
  }],
  ['`customerAddress`, string', async t => {
    for (const address of ['', 'é'.repeat(200)]) t.equal((await add({ customeraddress: address })).status, 201, address)
    t.equal((await add({ customeraddress: 'x'.repeat(201) })).status, 400)
  }],
  ['"Named states and transitions', async t => {
    const { id, headers } = await add()
    t.match(headers.get('etag'), /^"/)
    t.equal((await call('DELETE', `${QA}/${id}`)).status, 204)
    t.equal((await call('GET', `${QA}/${id}`)).status, 404)
  }],
  ['Step 1', async t => t.equal((await authorize()).status, 302)],
  ['Step 2', async t => {
    const url = authorizationUrl(stack, { scope: SCOPE })
    t.equal(locationOf(await new Person(stack).request(url)), url.replace('/authorize?', '/consent?'))
  }],
  ['Step 3', async t => {
    const person = new Person(stack)
    const page = await person.open(authorizationUrl(stack))
    t.equal((await person.submit(page, { decision: 'allow', username: erika.username, password: 'wrong' })).headers.get('location'), null)
    t.match(await new Person(stack).allow(authorizationUrl(stack), erika), 'access_token=')
  }],
  ['Step 4', async t => t.ok((await allow()).startsWith(`${stack.callback}#`))],
  ['"**GET `{base_url}/authorize`**"', async t => t.equal((await new Person(stack).request(`${stack.issuer}/authorize`)).status, 400)],
  ['"Request: query parameters response_type', async t => t.equal((await authorize()).status, 302)],
  ['"The values of the query parameters are URL-encoded', async t => {
    t.equal(answerOf(await allow({ state: 'a&b=c d+é' })).state, 'a&b=c d+é')
    t.equal((await new Person(stack).request(`${stack.issuer}/authorize?client_id=%`)).status, 400)
  }],
  ['"Response 1', async t => t.match(locationOf(await authorize()), `${stack.issuer}/consent?`)],
  ['"Response 2', async t => t.match(answerOf(await allow()), { access_token: /./ })],
  ['"Form of the access token in the final redirect', async t => {
    t.match(answerOf(await allow()), { token_type: 'Bearer', expires_in: '600', scope: SCOPE, state: 's', iss: stack.issuer })
    t.match(answerOf(locationOf(await authorize({ response_mode: 'query' }))), { error: 'invalid_request' })
  }],
  ['"All paths are below', async t => t.equal((await add()).headers.get('location'), `${root}${QA}/${lastId()}`)],
  ['"Requests whose path begins with `/rest/`', async t => {
    t.equal((await call('GET', QA)).status, 200)
    t.equal((await call('GET', '/qa/customer')).status, 404)
  }],
  ['POST `/rest/qa/customer`', async t => t.match(await add(), { status: 201, text: '' })],
  ['GET `/rest/qa/customer/{customerid}`', async t => {
    const { id, name } = await add()
    const { status, text, headers } = await call('GET', `${QA}/${id}`)
    t.same([status, text, headers.get('content-type')], [200, name, 'text/plain; charset=utf-8'])
  }],
  ['PUT `/rest/qa/customer`', async t => {
    const { id, name } = await add()
    t.match(await call('PUT', QA, { customername: name, customeraddress: 'kandy' }), { status: 204, text: '' })
    t.equal(await addressOf(id), 'kandy')
  }],
  ['DELETE `/rest/qa/customer/{customerid}`', async t => t.match(await call('DELETE', `${QA}/${(await add()).id}`), { status: 204, text: '' })],
  ['Rule 1', async t => {
    const { id, name } = await add()
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      t.equal((await add({}).then(() => call('POST', QA, { customerid: 999_999 }, { 'content-type': type }))).status, 415, type)
      t.equal((await call('PUT', QA, { customername: name, customeraddress: 'x' }, { 'content-type': type })).status, 415, type)
    }
    t.equal(await addressOf(id), 'colombo')
  }],
  ['Rule 2', async t => {
    t.equal((await call('PUT', QA, { customername: 'No such name', customeraddress: 'x' })).status, 404)
    const twins = [await add({ customername: 'Twin' }), await add({ customername: 'Twin' })]
    t.equal((await call('PUT', QA, { customername: 'Twin', customeraddress: 'x' })).status, 409)
    for (const { id } of twins) t.equal(await addressOf(id), 'colombo')
  }],
  ['Rule 3', async t => {
    const { id, status } = await add()
    t.same([status, (await call('GET', `${QA}/${id}`)).status, (await call('DELETE', `${QA}/${id}`)).status], [201, 200, 204])
  }],
  ['"1. Grant type', async t => t.match(answerOf(await allow({ response_type: 'token' })), { access_token: /./ })],
  ['"2. The client is not authenticated', async t => t.match(answerOf(await allow()), { access_token: /./ })],
  ['"3. The client is identified by client_id', async t => {
    t.equal((await authorize({ redirect_uri: stack.callback.replace('http:', 'HTTP:') })).status, 400)
  }],
  ['"4. The resource owner authenticates', async t => t.match(answerOf(await allow()), { access_token: /./ })],
  ['"5. Use of the access token', async t => {
    t.equal((await call('GET', QA)).status, 200)
    t.equal((await call('GET', `${QA}?access_token=${token}`, undefined, { authorization: '' })).status, 401)
  }],
  ['"**Customer service:** authentication', async t => {
    const { status, headers } = await call('GET', QA, undefined, { authorization: 'Bearer a.b.c' })
    t.equal(status, 401)
    t.match(headers.get('www-authenticate'), 'Bearer')
  }],
  ['"Events emitted', async t => t.match(JSON.parse((await call('GET', `${QA}/events`)).text), { events: [{ specversion: '1.0' }] })],
  ['"Error responses of the authorization endpoint', async t => {
    const person = new Person(stack)
    const denied = await person.submit(await person.open(authorizationUrl(stack, { state: 's' })), { decision: 'deny' })
    t.match(answerOf(locationOf(denied)), { error: 'access_denied', state: 's', iss: stack.issuer })
  }],
  ['"Error codes and bodies of the customer service', async t => {
    const unknown = await call('GET', `${QA}/777777`)
    t.same([unknown.status, unknown.headers.get('content-type')], [404, 'application/problem+json; charset=utf-8'])
    t.match(JSON.parse((await call('POST', QA, { customerid: 'x' })).text), { status: 400, errors: [{ field: 'customerid' }] })
  }],
  ['"The one error-like behavior', async t => t.equal((await call('POST', QA, {}, { 'content-type': 'text/xml' })).status, 415)],
  ['customerName length', async t => t.equal((await add({ customername: 'x'.repeat(100) })).status, 201)],
  ['customerAddress length', async t => t.equal((await add({ customeraddress: 'x'.repeat(200) })).status, 201)],
  ['customerID, customerAge', async t => t.equal((await add({ customerid: '+7', customerage: '1.0' })).status, 400)],
  ['"Rate limits, token lifetime', async t => {
    t.equal(answerOf(await allow()).expires_in, '600')
    t.equal((await authorize({ state: 'x'.repeat(8_000) })).status, 414)
    t.equal((await add({ customeraddress: 'x'.repeat(17_000) })).status, 413)
  }],
  ['"Versioning scheme', async t => t.match(JSON.parse((await call('GET', '/openapi.json')).text), { openapi: /^3\.1/ })]
]

await t.test('each line of the document is answered by the running services as docs/interfaces.md says', async t => {
  const rows = [...read('docs/interfaces.md').matchAll(/^\| (?!The document|---)(.*?) \| /gm)].map(([, line]) => line!)
  t.ok(rows.length > 50, `${rows.length} lines`)
  t.same(rows.filter(row => lines.filter(([line]) => row.startsWith(line)).length !== 1), [], 'each line has its request')
  t.same(lines.filter(([line]) => !rows.some(row => row.startsWith(line))).map(([line]) => line), [], 'and each request its line')
  for (const [line, check] of lines) await t.test(line, check)
})

await endStack(t, stack)
