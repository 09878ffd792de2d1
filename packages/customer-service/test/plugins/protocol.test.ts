import t from 'tap'
import { PATH, buildOnce, type Send } from '../support/helper.js'

const form = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }
const json = { 'content-type': 'application/json' }
const large = { 'content-length': '16385' }
const xml = { accept: 'application/xml' }

t.test('the order of checks: 413 by length, 404 route, 405, 401/403, 404 path id, 415, 406, 400, then 404/409/412', async t => {
  const { send, register, issuer } = await buildOnce(t)
  await register(1)
  const reader = await issuer.mint({ claims: { scope: 'customer:read' } })
  const table: Array<[name: string, method: string, path: string, request: Send, status: number]> = [
    ['413 before 404 route', 'POST', '/nowhere', { token: null, headers: large }, 413],
    ['413 before 405', 'PATCH', PATH, { token: null, headers: large }, 413],
    ['413 before 401', 'POST', PATH, { token: null, headers: large }, 413],
    ['413 before 403', 'POST', PATH, { token: reader, headers: large }, 413],
    ['413 before 404 path id', 'GET', `${PATH}/x`, { headers: large }, 413],
    ['413 before 415', 'POST', PATH, { headers: { ...large, ...json } }, 413],
    ['404 route before 405', 'PATCH', '/nowhere', {}, 404],
    ['404 route before 401', 'GET', '/nowhere', { token: null }, 404],
    ['404 route before 415', 'POST', '/nowhere', { form: '{', headers: json }, 404],
    ['405 before 401', 'PATCH', PATH, { token: null }, 405],
    ['405 before 403', 'PROPFIND', `${PATH}/1`, { token: reader }, 405],
    ['405 before 404 path id', 'PROPFIND', `${PATH}/x`, {}, 405],
    ['405 before 415', 'PATCH', PATH, { form: '{', headers: json }, 405],
    ['405 before 406', 'POST', `${PATH}/1`, { headers: xml }, 405],
    ['401 before 404 path id', 'GET', `${PATH}/x`, { token: null }, 401],
    ['401 before 415', 'POST', PATH, { token: null, form: '{', headers: json }, 401],
    ['401 before 406', 'GET', `${PATH}/1`, { token: null, headers: xml }, 401],
    ['401 before 400', 'POST', PATH, { token: null, form: '' }, 401],
    ['401 before 404 customer', 'DELETE', `${PATH}/2`, { token: null }, 401],
    ['403 before 404 path id', 'DELETE', `${PATH}/x`, { token: reader }, 403],
    ['403 before 415', 'POST', PATH, { token: reader, form: '{', headers: json }, 403],
    ['403 before 400', 'PUT', PATH, { token: reader, form: '' }, 403],
    ['403 before 404 customer', 'DELETE', `${PATH}/2`, { token: reader }, 403],
    ['404 path id before 406', 'GET', `${PATH}/x`, { headers: xml }, 404],
    ['404 path id before 415', 'PUT', `${PATH}/x`, { form: '{', headers: xml }, 404],
    ['404 path id before 400', 'PATCH', `${PATH}/x`, { form: '%' }, 404],
    ['404 path id before 412', 'DELETE', `${PATH}/x`, { headers: { 'if-match': '"1-text"' } }, 404],
    ['415 before 400', 'POST', PATH, { form: '%', headers: json }, 415],
    ['415 before 409', 'POST', PATH, { form, headers: json }, 415],
    ['406 before 404 customer', 'GET', `${PATH}/2`, { headers: xml }, 406],
    ['400 before 409', 'POST', PATH, { form: { ...form, customerage: 'x' } }, 400],
    ['400 before 404 customer', 'PUT', PATH, { form: { customername: 'nobody' } }, 400],
    ['400 before 412', 'PUT', PATH, { form: { customername: 'charitha' }, headers: { 'if-match': '"1-text"' } }, 400],
    ['409 without Accept being looked at', 'POST', PATH, { form, headers: xml }, 409]
  ]
  for (const [name, method, path, request, status] of table) {
    const { statusCode, headers } = await send(method, path, request)
    t.equal(statusCode, status, name)
    t.match(headers, { 'content-type': /^application\/problem\+json/, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }, name)
  }
})

t.test('a path id that is no signed 32-bit integer in its one form: 404', async t => {
  const { send } = await buildOnce(t)
  const ids = ['-', '-0', '00', '01', '-01', '+1', '1.0', '1e3', '2147483648', '-2147483649', '9999999999', '99999999999', 'abc', '1;v=2', '1%2F2', '%zz', '%ff', '%00', '%201', '1%20', '٣', encodeURIComponent('٣'), '..%2f1', '9'.repeat(8000), '__proto__']
  for (const id of ids) {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) t.equal((await send(method, `${PATH}/${id}`)).statusCode, 404, `${method} ${id.slice(0, 20)}`)
  }
})

t.test('405 with Allow for every other verb on a known path; override headers are ignored', async t => {
  const { send, register, read } = await buildOnce(t)
  await register(1)
  const table: Array<[path: string, allow: string, methods: string[]]> = [
    [PATH, 'GET, HEAD, POST, PUT, OPTIONS', ['DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'LOCK', 'REPORT']],
    [`${PATH}/1`, 'GET, HEAD, DELETE, PUT, PATCH, OPTIONS', ['POST', 'TRACE', 'COPY', 'UNLINK', 'SEARCH']],
    ['/health/live', 'GET, HEAD, OPTIONS', ['POST', 'DELETE']],
    ['/openapi.json', 'GET, HEAD, OPTIONS', ['PUT']],
    ['/', 'GET, HEAD, OPTIONS', ['POST']]
  ]
  for (const [path, allow, methods] of table) {
    for (const method of methods) {
      const { statusCode, headers } = await send(method, path, { headers: { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' } })
      t.equal(statusCode, 405, `${method} ${path}`)
      t.equal(headers.allow, allow, `${method} ${path}`)
    }
    const options = await send('OPTIONS', path, { token: null })
    t.equal(options.statusCode, 204)
    t.same(String(options.headers.allow).split(', ').sort(), allow.split(', ').sort())
  }
  t.equal((await send('GET', `${PATH}/1?_method=DELETE`, { headers: { 'x-http-method-override': 'DELETE' } })).statusCode, 200)
  t.match(await read(1), { customerid: 1 })
})

t.test('HEAD is GET without the body', async t => {
  const { send, register } = await buildOnce(t)
  await register(1, 'é')
  const get = await send('GET', `${PATH}/1`)
  const head = await send('HEAD', `${PATH}/1`)
  t.equal(head.statusCode, 200)
  t.equal(head.body, '')
  for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) t.equal(head.headers[name], get.headers[name], name)
  t.equal((await send('HEAD', `${PATH}/1`, { headers: xml })).statusCode, 406)
})

t.test('a trailing slash is accepted, with the same authorization; // and other case are 404', async t => {
  const { send, register } = await buildOnce(t)
  await register(1)
  t.equal((await send('GET', `${PATH}/1/`)).body, 'charitha')
  t.equal((await send('GET', `${PATH}/1/`, { token: null })).statusCode, 401)
  t.equal((await send('PUT', `${PATH}/`, { form: { customername: 'charitha', customeraddress: 'x' } })).statusCode, 204)
  t.equal((await send('PUT', `${PATH}/`, { form: '', token: null })).statusCode, 401)
  t.equal((await send('DELETE', `${PATH}/1/`, { token: null })).statusCode, 401)
  const unknown = [`/${PATH}/1`, `${PATH}//1`, `${PATH}/1//`, `${PATH}//`, '/rest//qa/customer/1', '/REST/qa/customer/1', '/rest/qa/Customer/1', '/rest/qa', '//', '/rest/qa/customer/1/2', '/rest/qa/customers/1']
  for (const path of unknown) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { statusCode, body } = await send(method, path, { token: null, form: '{', headers: json })
      t.equal(statusCode, 404, `${method} ${path}`)
      t.match(JSON.parse(body), { type: '/problems/path-unknown' })
    }
  }
})

t.test('415 with Accept for everything but a form in UTF-8, and the operation is not invoked', async t => {
  const { send, db, http, everything } = await buildOnce(t)
  const urlencoded = 'application/x-www-form-urlencoded'
  const refused = [
    'application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml', '*/*', 'nonsense', 'application/', '/', '',
    'application/x-www-form-urlencoded-not', `${urlencoded}, application/json`, `${urlencoded}; charset=iso-8859-1`, `${urlencoded}; charset=utf-16`,
    `${urlencoded}; charset=utf-8; charset=latin1`, `${urlencoded} charset=utf-8`, `${urlencoded}; =`, `${urlencoded}; charset="utf-8`, 'text/plain; x="application/x-www-form-urlencoded"'
  ]
  const content = 'customerid=1&customername=a&customerage=1&customeraddress=b'
  for (const type of refused) {
    for (const method of ['POST', 'PUT']) {
      const { statusCode, headers } = await send(method, PATH, { form: content, headers: { 'content-type': type } })
      t.equal(statusCode, 415, `${method} ${type}`)
      t.equal(headers.accept, urlencoded)
    }
  }
  const untyped = await http.inject({ method: 'POST', url: PATH, headers: { authorization: `Bearer ${everything}` } })
  t.equal(untyped.statusCode, 415, 'no type')
  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity']) {
    t.equal((await send('POST', PATH, { form: content, headers: { 'content-encoding': encoding } })).statusCode, 415, encoding)
  }
  t.equal(await db.customer.count(), 0)
  const accepted = [
    urlencoded, urlencoded.toUpperCase(), `${urlencoded}; charset=utf-8`, `${urlencoded};charset=UTF-8`, `${urlencoded} ; Charset="utf-8"`, `${urlencoded}; charset=utf-8; x=y`
  ]
  for (const [index, type] of accepted.entries()) {
    const { statusCode } = await send('POST', PATH, { form: content.replace('=1', `=${index + 1}`), headers: { 'content-type': type, 'content-encoding': 'identity' } })
    t.equal(statusCode, 201, type)
  }
})
