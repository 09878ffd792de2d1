import t from 'tap'
import { connectTo } from '@frontdesk/test-kit/database'
import { PATH, build, buildOnce, type Send } from '../support/helper.js'

t.test('one line a request, with method, path, status, time, request id and remote address', async t => {
  const { send, log } = await buildOnce(t)
  log.length = 0
  const answers = [
    await send('GET', `${PATH}/404?name=value`),
    await send('GET', '/nowhere'),
    await send('PATCH', PATH),
    await send('POST', PATH, { form: '' }),
    await send('GET', `${PATH}/1`, { token: null })
  ]
  const lines = log.map(line => JSON.parse(line))
  t.equal(lines.length, answers.length)
  for (const [index, { statusCode, headers }] of answers.entries()) {
    t.match(lines[index], {
      level: 30,
      msg: 'request',
      status: statusCode,
      requestId: headers['x-request-id'],
      ip: '127.0.0.1',
      ms: Number,
      method: String,
      path: /^\/[^?]*$/
    })
  }
})

t.test('a failure of the service is an error in the log, with its cause; what callers do wrong is not', async t => {
  const { send, config, log } = await build(t)
  log.length = 0
  t.equal((await send('GET', `${PATH}/1`)).statusCode, 404)
  t.equal((await send('GET', `${PATH}/1`, { token: 'x' })).statusCode, 401)
  const operator = await connectTo(config.databaseUrl)
  await operator.query('ALTER TABLE customer RENAME COLUMN address TO gone')
  await operator.close()
  const failed = await send('GET', `${PATH}/1`)
  t.equal(failed.statusCode, 500)
  const lines = log.map(line => JSON.parse(line))
  t.match(lines.map(({ level }) => level), [30, 30, 50])
  t.match(lines.at(-1), {
    msg: 'request failed',
    status: 500,
    problem: 'internal-error',
    path: `${PATH}/1`,
    requestId: failed.headers['x-request-id'],
    err: { message: String, stack: String }
  })
  t.match(JSON.stringify(lines.at(-1).err), /column:? .*\baddress\b/)
})

t.test('X-Request-Id is accepted if well-formed, else made, and returned', async t => {
  const { send } = await buildOnce(t)
  for (const id of ['a', 'A-b_c.9', 'x'.repeat(64)]) {
    t.equal((await send('GET', '/health/live', { headers: { 'x-request-id': id } })).headers['x-request-id'], id)
  }
  for (const id of ['', 'x'.repeat(65), 'a b', 'a"b', 'ä', 'a,b', '{}']) {
    t.match((await send('GET', '/health/live', { headers: { 'x-request-id': id } })).headers['x-request-id'], /^[0-9a-f-]{36}$/, id)
  }
})

t.test('each write says who changed which customer, once, and nothing of the customer; what changed nothing says nothing', async t => {
  const { send, issuer, log } = await build(t)
  const token = await issuer.mint({ claims: { sub: 'ann', client_id: 'desk', jti: 'token-1' } })
  const form = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }
  const key = { 'idempotency-key': 'once' }
  const rows: Array<[method: string, path: string, request: Send, status: number, written: [write: string, customerid: number] | null]> = [
    ['POST', PATH, { form }, 201, ['add', 1]],
    ['POST', PATH, { form }, 409, null],
    ['POST', PATH, { form: { ...form, customerid: 2, customername: 'ben' }, headers: key }, 201, ['add', 2]],
    ['POST', PATH, { form: { ...form, customerid: 2, customername: 'ben' }, headers: key }, 201, null],
    ['PUT', PATH, { form: { customername: 'ben', customeraddress: 'colombo' } }, 204, ['change-address', 2]],
    ['PUT', PATH, { form: { customername: 'ben', customeraddress: 'colombo', customerid: 2 } }, 204, ['change-address', 2]],
    [
      'PUT',
      PATH,
      { form: { customername: 'charitha', customeraddress: 'colombo' }, headers: { 'if-match': '*' } },
      204,
      ['change-address', 1]
    ],
    ['PUT', PATH, { form: { customername: 'nobody', customeraddress: 'colombo' } }, 404, null],
    ['PUT', `${PATH}/1`, { form }, 204, ['replace', 1]],
    ['PATCH', `${PATH}/2`, { form: { customerage: 34 } }, 204, ['patch', 2]],
    ['PATCH', `${PATH}/3`, { form: { customerage: 34 } }, 404, null],
    ['PATCH', `${PATH}/2`, { form: { customerage: 35 }, headers: { 'if-match': '"1-text"' } }, 412, null],
    ['GET', `${PATH}/1`, {}, 200, null],
    ['DELETE', `${PATH}/2`, {}, 204, ['remove', 2]],
    ['DELETE', `${PATH}/2`, {}, 404, null]
  ]
  for (const [method, path, request, status, written] of rows) {
    log.length = 0
    const { statusCode, headers } = await send(method, path, { ...request, token })
    t.equal(statusCode, status, `${method} ${path}`)
    const lines = log.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'customer changed')
    t.match(
      lines,
      written === null
        ? []
        : [
            {
              level: 30,
              write: written[0],
              customerid: written[1],
              sub: 'ann',
              client_id: 'desk',
              jti: 'token-1',
              requestId: headers['x-request-id']
            }
          ],
      `${method} ${path}`
    )
    t.equal(lines.length, written === null ? 0 : 1)
    t.notMatch(log.join(''), /charitha|ben|colombo|piliyandala/)
  }
})

t.test('If-Match with a version says which customer of a name was changed', async t => {
  const { send, register, log } = await build(t)
  const etag = await register(7)
  log.length = 0
  t.equal(
    (await send('PUT', PATH, { form: { customername: 'charitha', customeraddress: 'colombo' }, headers: { 'if-match': etag } })).statusCode,
    204
  )
  t.match(JSON.parse(log[0] ?? ''), { msg: 'customer changed', write: 'change-address', customerid: 7 })
})

t.test('no log line holds a token, a query, a header or a field', async t => {
  const { send, issuer, everything, log } = await buildOnce(t)
  const secret = 'very-secret-value'
  const bad = await issuer.mint({ claims: { iss: 'https://other.example' } })
  await send('POST', PATH, { form: { customerid: 1, customername: secret, customerage: 1, customeraddress: secret } })
  await send('POST', PATH, { form: { customerid: 1, customername: secret, customerage: 1, customeraddress: secret } })
  await send('PUT', PATH, { form: { customername: secret, customeraddress: `${secret}\n{"level":60,"msg":"forged"}` } })
  await send('GET', `${PATH}/1?access_token=${everything}&q=${secret}`, {
    headers: { cookie: secret, 'user-agent': secret, referer: secret, 'x-request-id': `${secret} ` }
  })
  await send('GET', `${PATH}/1`, { token: bad })
  await send('GET', `${PATH}/1`, { token: `${everything}x` })
  await send('GET', `${PATH}/1`, { token: `${everything}, ${everything}` })
  await send('POST', `${PATH}?${secret}`, { form: `${secret}=%` })
  const text = log.join('')
  t.ok(log.length > 8)
  for (const token of [everything, bad]) for (const part of token.split('.')) t.notOk(text.includes(part), 'no part of a token')
  t.notMatch(text, secret)
  t.notMatch(text, /"level":60/)
  t.match(text, /"reason":"unexpected \\"iss\\" claim value"/, 'the reason of a refusal is there')
})

t.test('X-Forwarded-For counts only behind the proxies of TRUST_PROXY', async t => {
  const table: Array<[trusted: string, ip: string]> = [['false', '127.0.0.1'], ['127.0.0.0/8', '192.0.2.7'], ['10.0.0.0/8', '127.0.0.1']]
  for (const [trusted, ip] of table) {
    const { send, log } = await buildOnce(t, { TRUST_PROXY: trusted })
    await send('GET', '/health/live', { headers: { 'x-forwarded-for': '198.51.100.1, 192.0.2.7' } })
    t.equal(JSON.parse(log.at(-1) ?? '').ip, ip, trusted)
  }
})

t.test('what programs poll is logged at debug while it succeeds', async t => {
  const { send, log, http } = await buildOnce(t)
  const levelOf = async (path: string) => {
    log.length = 0
    await send('GET', path, { token: null })
    return log.map(line => JSON.parse(line)).find(({ msg }) => msg.startsWith('request')).level
  }
  for (const path of ['/health/live', '/health/ready', '/.well-known/oauth-protected-resource']) t.equal(await levelOf(path), 20, path)
  t.equal(await levelOf('/openapi.json'), 30)
  await http.drain()
  t.equal(await levelOf('/health/ready'), 50, 'a failure is visible')
})
