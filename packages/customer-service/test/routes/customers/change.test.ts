import t from 'tap'
import { PATH, build } from '../../support/helper.js'

export const onBothDatabases = true

const charitha = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }
const other = { customername: 'Rene\u0301', customerage: 34, customeraddress: 'colombo' }
const types = { PUT: 'application/json', PATCH: 'application/merge-patch+json' }

async function start (t: Parameters<typeof build>[0], env = {}) {
  const service = await build(t, env)
  const sendJson = async (method: keyof typeof types, json: unknown, headers = {}, id = 1) => await service.send(method, `${PATH}/${id}`, {
    form: typeof json === 'string' || Buffer.isBuffer(json) ? json : JSON.stringify(json), headers: { 'content-type': types[method], ...headers }
  })
  return { ...service, sendJson }
}

t.test('PUT by identifier replaces name, age and address, with JSON or a form: 204, no body, no ETag', async t => {
  const { send, sendJson, register, read } = await start(t)
  const etag = await register(1)
  for (const answer of [await sendJson('PUT', other), await send('PUT', `${PATH}/1`, { form: other }), await sendJson('PUT', { customerid: 1, ...other })]) {
    t.equal(answer.statusCode, 204)
    t.equal(answer.body, '')
    t.notHas(answer.headers, { etag: String })
    t.same(await read(1), { customerid: 1, ...other })
  }
  t.not((await send('GET', `${PATH}/1`)).headers.etag, etag)
  t.equal((await send('PUT', PATH, { form: { customername: 'Ren\u00e9', customeraddress: 'kandy' } })).statusCode, 204, 'the new name finds it, in any form of Unicode')
  t.equal((await send('PUT', PATH, { form: { customername: 'charitha', customeraddress: 'kandy' } })).statusCode, 404, 'the old one does not')
})

t.test('PATCH by identifier changes what it names and leaves the rest (RFC 7396), with JSON or a form', async t => {
  const { send, sendJson, register, read } = await start(t)
  await register(1)
  const steps: Array<[patch: Record<string, string | number>, isForm?: boolean]> = [
    [{ customeraddress: 'colombo' }], [{ customerage: 34 }], [{ customername: 'ben' }], [{ customerid: 1, customerage: 35, shoesize: 9 }],
    [{ customeraddress: 'kandy' }, true], [{ customerage: 0, customername: 'Ben' }, true]
  ]
  let now: object = charitha
  for (const [patch, isForm = false] of steps) {
    const { statusCode, body } = isForm ? await send('PATCH', `${PATH}/1`, { form: patch }) : await sendJson('PATCH', patch)
    t.equal(statusCode, 204, JSON.stringify(patch))
    t.equal(body, '')
    const { shoesize, ...known } = patch
    now = { ...now, ...known }
    t.same(await read(1), now)
  }
  t.equal((await send('PUT', PATH, { form: { customername: 'Ben', customeraddress: 'x' } })).statusCode, 204, 'the new name finds it')
})

t.test('PUT and PATCH of an unknown identifier: 404, nothing added', async t => {
  const { sendJson, db } = await start(t)
  for (const method of ['PUT', 'PATCH'] as const) {
    for (const headers of [{}, { 'if-match': '*' }, { 'if-match': '"1-text"' }]) t.equal((await sendJson(method, other, headers)).statusCode, 404, `${method} ${JSON.stringify(headers)}`)
  }
  t.equal(await db.customer.count(), 0)
})

t.test('a JSON body that is not valid: 400, with every member that is wrong, and nothing is changed', async t => {
  const { send, sendJson, register, read } = await start(t)
  await register(1)
  const wrong: Array<[json: string, fields: string[]]> = [
    ['{"customername":"\\u0000","customerage":2147483648,"customeraddress":"\\u0007"}', ['customername', 'customerage', 'customeraddress']],
    ['{"customername":5,"customerage":"33","customeraddress":["x"]}', ['customername', 'customerage', 'customeraddress']],
    ['{"customername":null,"customerage":null,"customeraddress":null}', ['customername', 'customerage', 'customeraddress']],
    ['{"customername":true,"customerage":{},"customeraddress":{"x":1}}', ['customername', 'customerage', 'customeraddress']],
    ['{"customername":"a","customername":"a","customerage":1,"customer\\u0061ge":2,"customeraddress":"b"}', ['customername', 'customerage']],
    ['{"customername":"\\ud83d","customerage":33.5,"customeraddress":"\\udf89\\ud83c"}', ['customername', 'customerage', 'customeraddress']],
    ['{"CustomerName":"a","customerage":-2147483649,"CUSTOMERADDRESS":"b"}', ['CustomerName', 'CUSTOMERADDRESS', 'customerage']],
    [`{"customername":"${'a'.repeat(101)}","customerage":1e10,"customeraddress":"${'🎉'.repeat(201)}"}`, ['customername', 'customerage', 'customeraddress']],
    [`{"customername":"a","customerage":1,"customeraddress"${' '.repeat(3_000)}:"${'\\\\'.repeat(6_000)}"}`, ['customeraddress']],
    ['{"customerid":2,"customername":"a","customerage":1,"customeraddress":"b"}', ['customerid']],
    ['{"customerid":"1","customername":"a","customerage":1,"customeraddress":"b"}', ['customerid']],
    ['{"customerid":1.5,"customername":"a","customerage":1,"customeraddress":"b"}', ['customerid']]
  ]
  for (const [json, fields] of wrong) {
    for (const method of ['PUT', 'PATCH'] as const) {
      const answer = await sendJson(method, json)
      t.equal(answer.statusCode, 400, `${method} ${json}`)
      t.match(answer.json(), { type: '/problems/json-invalid' })
      t.same(answer.json().errors.map(({ field }: { field: string }) => field).sort(), [...fields].sort(), `${method} ${json}`)
    }
  }
  t.same((await sendJson('PUT', '{}')).json().errors.map(({ field }: { field: string }) => field), ['customername', 'customerage', 'customeraddress'])
  const idle: Array<[json: string, errors: Array<[field: string, detail: string]>]> = [
    ['{}', []],
    ['{"customerid":1}', []],
    ['{"customerid":1,"customer_adress":"x","name":"ben"}', [['customer_adress', 'There is no such field; did you mean `customeraddress`?'], ['name', 'There is no such field.']]],
    ['{"toString":1,"__proto__":{"customerage":7}}', [['toString', 'There is no such field.'], ['__proto__', 'There is no such field.']]]
  ]
  for (const [json, errors] of idle) {
    const answer = (await sendJson('PATCH', json)).json()
    t.match(answer, { status: 400, detail: 'Send at least one of customername, customerage and customeraddress.' }, json)
    t.same(answer.errors, errors.map(([field, detail]) => ({ field, detail })), json)
  }
  for (const method of ['PUT', 'PATCH']) {
    const answer = await send(method, `${PATH}/1`, { form: { ...other, customerid: 2, customerage: '+3' } })
    t.match(answer.json(), { status: 400, type: '/problems/form-invalid' }, `${method} form`)
    t.same(answer.json().errors.map(({ field }: { field: string }) => field).sort(), ['customerage', 'customerid'], `${method} form`)
  }
  t.same(await read(1), charitha)
})

t.test('a JSON body that cannot be read: 400', async t => {
  const { sendJson, register } = await start(t)
  await register(1)
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`m${index}`, 1]))
  const bodies = ['', '{', 'null', '5', '"x"', '[]', '[{"customerage":1}]', "{'customerage':1}", '{"customerage":01}', '{"customerage":NaN}', '{} {}', many, Buffer.from([0x7b, 0xff, 0x7d]), '['.repeat(16_000)]
  for (const body of bodies) {
    for (const method of ['PUT', 'PATCH'] as const) {
      const answer = await sendJson(method, body)
      t.equal(answer.statusCode, 400, `${method} ${JSON.stringify(body).slice(0, 40)}`)
      t.match(answer.json(), { type: '/problems/json-malformed' })
    }
  }
})

t.test('415 with Accept and Accept-Patch (RFC 5789 §2.2) for other types; OPTIONS says what a PATCH may be (§3.1)', async t => {
  const { send, register, read } = await start(t)
  await register(1)
  const form = 'application/x-www-form-urlencoded'
  const json = JSON.stringify(other)
  for (const [method, accept] of [['PUT', `application/json, ${form}`], ['PATCH', `application/merge-patch+json, application/json, ${form}`]] as const) {
    const wrong = ['text/plain', 'application/jsonp', 'application/json-patch+json', 'application/json; charset=latin1', ...method === 'PUT' ? [types.PATCH] : [], `${form}, application/json`]
    for (const type of wrong) {
      const { statusCode, headers } = await send(method, `${PATH}/1`, { form: json, headers: { 'content-type': type } })
      t.equal(statusCode, 415, `${method} ${type}`)
      t.equal(headers.accept, accept)
      t.equal(headers['accept-patch'], method === 'PATCH' ? accept : undefined)
    }
    t.equal((await send(method, `${PATH}/1`, { form: json, headers: { 'content-type': types[method], 'content-encoding': 'gzip' } })).statusCode, 415)
    t.equal((await send(method, `${PATH}/1`, { form: json, headers: { 'content-type': `${types[method].toUpperCase()}; charset=UTF-8` } })).statusCode, 204)
    t.equal((await send(method, `${PATH}/1`, { form: `\ufeff${json}`, headers: { 'content-type': 'application/json;charset=utf8' } })).statusCode, 204)
  }
  t.match(await read(1), other)
  t.equal((await send('OPTIONS', `${PATH}/1`, { token: null })).headers['accept-patch'], `application/merge-patch+json, application/json, ${form}`)
  t.notHas((await send('OPTIONS', PATH, { token: null })).headers, { 'accept-patch': String })
})

t.test('PUT and PATCH by identifier need customer:write', async t => {
  const { send, register, issuer } = await start(t)
  await register(1)
  const token = await issuer.mint({ claims: { scope: 'customer:read customer:delete' } })
  for (const method of ['PUT', 'PATCH']) {
    t.equal((await send(method, `${PATH}/1`, { form: other, token: null })).statusCode, 401, method)
    t.equal((await send(method, `${PATH}/1`, { form: other, token })).statusCode, 403, method)
  }
})

t.test('If-Match on PUT and PATCH by identifier: 412 unless it holds a tag of the customer as it is; If-None-Match is refused', async t => {
  const { sendJson, register, read } = await start(t)
  const etag = await register(1)
  for (const method of ['PUT', 'PATCH'] as const) {
    for (const value of ['"1-text"', 'W/"1-text-gzip"']) t.equal((await sendJson(method, other, { 'if-match': value })).statusCode, 412, `${method} ${value}`)
    for (const value of ['1', 'nonsense', '']) t.equal((await sendJson(method, other, { 'if-match': value })).statusCode, 400, `${method} ${value}`)
    t.equal((await sendJson(method, other, { 'if-none-match': '"x"' })).statusCode, 400)
  }
  t.same(await read(1), charitha)
  t.equal((await sendJson('PATCH', other, { 'if-match': `"1-json", W/${etag.replace('text', 'json-gzip')}` })).statusCode, 204)
  t.equal((await sendJson('PUT', other, { 'if-match': etag })).statusCode, 412, 'the tag from before the change')
  t.equal((await sendJson('PUT', other, { 'if-match': '*' })).statusCode, 204)
})

t.test('REQUIRE_IF_MATCH: 428 for every write to a customer without If-Match (RFC 6585 §3), and none is made; adding needs none', async t => {
  const { send, sendJson, register, read } = await start(t, { REQUIRE_IF_MATCH: 'true' })
  const etag = await register(1)
  const move = { customername: 'charitha', customeraddress: 'colombo' }
  const writes = [
    async (headers: Record<string, string>) => await sendJson('PATCH', { customerage: 34 }, headers),
    async (headers: Record<string, string>) => await send('PUT', PATH, { form: move, headers }),
    async (headers: Record<string, string>) => await sendJson('PUT', other, headers),
    async (headers: Record<string, string>) => await send('DELETE', `${PATH}/1`, { headers })
  ]
  for (const write of writes) t.match((await write({})).json(), { status: 428, type: '/problems/condition-missing' })
  t.same(await read(1), charitha)
  t.equal((await writes[0]!({ 'if-match': etag })).statusCode, 204)
  for (const write of writes.slice(1)) t.equal((await write({ 'if-match': '*' })).statusCode, 204)
  t.equal(await read(1), 404)
})
