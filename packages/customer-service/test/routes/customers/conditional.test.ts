import t from 'tap'
import { PATH, build } from '../../support/helper.js'

export const onBothDatabases = true

const move = { customername: 'charitha', customeraddress: 'colombo' }

t.test('ETags are strong, one per representation, and POST gives that of the name', async t => {
  const { send, register } = await build(t)
  const etag = await register(1)
  const text = await send('GET', `${PATH}/1`)
  const json = await send('GET', `${PATH}/1`, { headers: { accept: 'application/json' } })
  t.equal(text.headers.etag, etag)
  t.match(json.headers.etag, /^"\d+-json"$/)
  t.equal((await send('HEAD', `${PATH}/1`)).headers.etag, etag)
  await send('PUT', PATH, { form: move })
  t.not((await send('GET', `${PATH}/1`)).headers.etag, etag, 'a change makes a new one')
})

t.test(
  'If-Match on PUT and DELETE (RFC 9110 §13.1.1): 412 unless it holds a tag of the customer as it is, 400 if it is no list of tags',
  async t => {
    const { send, register, read } = await build(t)
    const etag = await register(1)
    const json = etag.replace('text', 'json')
    const version = Number(etag.slice(1).split('-')[0])
    const refused = [
      `"${version + 1}-text"`,
      `"${version}"`,
      `"${version}-html"`,
      `"0${version}-text"`,
      '""',
      '"99999999999999999999-text"'
    ]
    const malformed = [
      `${version}-text`,
      String(version),
      '',
      'nonsense',
      `"${etag.slice(1, -1)} "`,
      `${etag}garbage`,
      `garbage, ${etag}`,
      `${etag} ${etag}`,
      `*, ${etag}`
    ]
    for (const [values, status] of [
      [refused, 412],
      [malformed, 400]
    ] as const) {
      for (const value of values) {
        const headers = { 'if-match': value }
        t.equal((await send('PUT', PATH, { form: move, headers })).statusCode, status, `PUT ${value}`)
        t.equal((await send('PUT', PATH, { form: { ...move, customerid: 1 }, headers })).statusCode, status, `PUT with customerid ${value}`)
        t.equal((await send('DELETE', `${PATH}/1`, { headers })).statusCode, status, `DELETE ${value}`)
      }
    }
    t.match((await send('DELETE', `${PATH}/1`, { headers: { 'if-match': '12' } })).json(), {
      type: '/problems/request-malformed',
      detail: /with its quotes, such as If-Match: "12-text"/
    })
    t.match(await read(1), { customeraddress: 'piliyandala' })
    const accepted = [etag, json, '*', ' * ', `"1-text", ${etag}`, `W/"1-text",${json}`, `"a,b",${etag}`, `W/${etag}`, `${etag.slice(0, -1)}-gzip"`, `W/${etag}-br, "x"`, `${etag};gzip`]
    for (const [index, value] of accepted.entries()) {
      await register(10 + index, `name ${index}`)
      const current = String((await send('GET', `${PATH}/${10 + index}`)).headers.etag)
      const header = value.replace(String(version), current.slice(1).split('-')[0]!)
      const moved = await send('PUT', PATH, {
        form: { customername: `name ${index}`, customeraddress: 'colombo' },
        headers: { 'if-match': header }
      })
      t.equal(moved.statusCode, 204, `PUT ${value}`)
    }
    t.equal((await send('DELETE', `${PATH}/1`, { headers: { 'if-match': json } })).statusCode, 204)
  }
)

t.test('a write under If-None-Match is refused: done all the same, it would break RFC 9110 §13.1.2', async t => {
  const { send, register, read } = await build(t)
  const etag = await register(1)
  for (const value of [etag, '*', '"x"']) {
    t.equal((await send('PUT', PATH, { form: move, headers: { 'if-none-match': value } })).statusCode, 400)
    t.equal((await send('DELETE', `${PATH}/1`, { headers: { 'if-none-match': value } })).statusCode, 400)
  }
  t.match(await read(1), { customeraddress: 'piliyandala' })
})

t.test('PUT by identifier with If-None-Match: * adds a customer, and never replaces one (RFC 9110 §13.1.2)', async t => {
  const { send, read } = await build(t)
  const put = async (id: number, body: object, headers: Record<string, string> = { 'if-none-match': '*' }) =>
    await send('PUT', `${PATH}/${id}`, { form: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  const values = { customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }
  const added = await put(7, values)
  t.equal(added.statusCode, 201)
  t.equal(added.headers.location, `${PATH}/7`)
  t.equal(added.headers.etag, (await send('GET', `${PATH}/7`)).headers.etag)
  const again = await put(7, { ...values, customeraddress: 'colombo' })
  t.equal(again.statusCode, 412)
  t.match(again.json().type, '/problems/customer-present')
  t.match(await read(7), values)
  const etag = String(added.headers.etag)
  for (const headers of [{ 'if-none-match': etag }, { 'if-none-match': '"x", *' }, { 'if-none-match': '*', 'if-match': etag }, { 'if-none-match': '*', 'if-match': '*' }]) {
    t.equal((await put(7, values, headers)).statusCode, 400, JSON.stringify(headers))
    t.equal((await put(8, values, headers)).statusCode, 400, JSON.stringify(headers))
  }
  t.equal((await put(8, { ...values, customerage: 'old' })).statusCode, 400)
  t.equal((await put(8, { ...values, customerid: 9 })).statusCode, 400)
  t.equal((await put(8, values, {})).statusCode, 404, 'without it, PUT adds none')
  await send('DELETE', `${PATH}/7`)
  t.equal((await put(7, values)).statusCode, 201, 'the number of a removed customer is free')
  const strict = await build(t, { REQUIRE_IF_MATCH: 'true' })
  t.equal((await strict.send('PUT', `${PATH}/7`, { form: JSON.stringify(values), headers: { 'content-type': 'application/json', 'if-none-match': '*' } })).statusCode, 201, 'it is a condition')
})

t.test('of concurrent requests that add the same customer, by PUT and by POST, exactly one succeeds', async t => {
  const { send, read } = await build(t)
  for (let id = 1; id <= 10; id++) {
    const answers = await Promise.all(Array.from({ length: 16 }, async (_, lane) => {
      const values = { customername: `lane ${lane}`, customerage: lane, customeraddress: 'colombo' }
      const { statusCode } = lane % 4 === 0
        ? await send('POST', PATH, { form: { customerid: id, ...values } })
        : await send('PUT', `${PATH}/${id}`, { form: JSON.stringify(values), headers: { 'content-type': 'application/json', 'if-none-match': '*' } })
      return { statusCode, values }
    }))
    const winners = answers.filter(({ statusCode }) => statusCode === 201)
    t.equal(winners.length, 1)
    t.ok(answers.every(({ statusCode }, lane) => [201, lane % 4 === 0 ? 409 : 412].includes(statusCode)))
    t.match(await read(id), winners[0]!.values)
  }
})

t.test('If-Match comes after 404 and 409', async t => {
  const { send, register } = await build(t)
  const headers = { 'if-match': '"1-text"' }
  await register(1)
  await register(2)
  t.equal((await send('PUT', PATH, { form: move, headers })).statusCode, 409)
  t.equal((await send('PUT', PATH, { form: { ...move, customername: 'nobody' }, headers })).statusCode, 404)
  t.equal((await send('PUT', PATH, { form: { ...move, customerid: 3 }, headers })).statusCode, 404)
  t.equal((await send('DELETE', `${PATH}/3`, { headers })).statusCode, 404)
  t.equal((await send('DELETE', `${PATH}/3`, { headers: { 'if-match': '*' } })).statusCode, 404)
})

t.test('If-None-Match on GET and HEAD (RFC 9110 §13.1.2): 304 by weak comparison, per representation', async t => {
  const { send, register } = await build(t)
  const etag = await register(1)
  const get = async (value: string, accept = 'text/plain', method = 'GET') =>
    await send(method, `${PATH}/1`, { headers: { 'if-none-match': value, accept } })
  for (const value of [etag, `W/${etag}`, '*', `"x", ${etag}`, `${etag.slice(0, -1)}-gzip"`, `${etag.slice(0, -1)}--gzip"`, `W/${etag}-br`]) {
    const answer = await get(value)
    t.equal(answer.statusCode, 304, value)
    t.equal(answer.body, '')
    t.match(answer.headers, { etag, vary: /Accept/, 'cache-control': 'private, no-cache' })
    t.equal((await get(value, 'text/plain', 'HEAD')).statusCode, 304, `HEAD ${value}`)
  }
  t.equal((await get(etag, 'application/json')).statusCode, 200, 'the tag of the other representation')
  t.equal((await get('"1-text"')).statusCode, 200)
})
