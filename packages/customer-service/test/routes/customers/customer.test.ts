import t from 'tap'
import { PATH, build } from '../../support/helper.js'

export const onBothDatabases = true

const charitha = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }
const record = (changes = {}) => ({ ...charitha, ...changes })

t.test('POST adds a customer: 201, Location, ETag, no body', async t => {
  const { send, read } = await build(t)
  const { statusCode, headers, body } = await send('POST', PATH, { form: charitha })
  t.equal(statusCode, 201)
  t.equal(headers.location, `${PATH}/1`)
  t.match(headers.etag, /^"\d+-text"$/)
  t.equal(body, '')
  t.equal(headers['content-length'], '0')
  t.same(await read(1), charitha)
})

t.test('POST of an id that is there: 409, nothing overwritten, even if identical', async t => {
  const { send, register, read } = await build(t)
  await register(1)
  for (const form of [charitha, record({ customername: 'other', customerage: 1, customeraddress: 'elsewhere' })]) {
    const { statusCode, body } = await send('POST', PATH, { form })
    t.equal(statusCode, 409)
    t.match(JSON.parse(body), { type: '/problems/customer-exists' })
    t.same(await read(1), charitha)
  }
})

t.test('GET: 200 text/plain; charset=utf-8, exactly the name, no newline', async t => {
  const { send, register } = await build(t)
  await register(1, 'Ć härïtha 🎉')
  const { statusCode, headers, rawPayload } = await send('GET', `${PATH}/1`)
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'text/plain; charset=utf-8')
  t.ok(rawPayload.equals(Buffer.from('Ć härïtha 🎉')))
})

t.test('GET and DELETE of an unknown id: 404', async t => {
  const { send } = await build(t)
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    const { statusCode, headers } = await send(method, `${PATH}/404`)
    t.equal(statusCode, 404, method)
    t.equal(headers['content-type'], 'application/problem+json; charset=utf-8', method)
  }
})

t.test('PUT finds the customer by name: exactly one match: 204, address changed, no ETag', async t => {
  const { send, register, read } = await build(t)
  await register(1)
  await register(2, 'other')
  const { statusCode, headers, body } = await send('PUT', PATH, { form: { customername: 'charitha', customeraddress: 'colombo' } })
  t.equal(statusCode, 204)
  t.equal(body, '')
  t.notHas(headers, { etag: String })
  t.same(await read(1), record({ customeraddress: 'colombo' }))
  t.match(await read(2), { customeraddress: 'piliyandala' })
})

t.test('PUT without a match: 404, nothing created', async t => {
  const { send, register, read, db } = await build(t)
  await register(1)
  for (const name of ['Charitha', 'charitha ', 'charith', '%', '_haritha']) {
    const { statusCode } = await send('PUT', PATH, { form: { customername: name, customeraddress: 'colombo' } })
    t.equal(statusCode, 404, name)
  }
  t.same(await read(1), charitha)
  t.equal(await db.customer.count(), 1)
})

t.test('PUT with two or more matches: 409, nothing changed, and the way out', async t => {
  const { send, register, read, issuer } = await build(t)
  for (let id = 1; id <= 12; id++) await register(id)
  const form = { customername: 'charitha', customeraddress: 'colombo' }
  const { statusCode, body } = await send('PUT', PATH, { form })
  t.equal(statusCode, 409)
  const problem = JSON.parse(body)
  t.match(problem.type, /^https?:\/\/[^/]+\/problems\/name-ambiguous$/, 'an absolute address')
  t.equal(problem.total, 12)
  t.same(problem.candidates, Array.from({ length: 10 }, (_, index) => ({ customerid: index + 1, href: `${PATH}/${index + 1}` })))
  t.match(problem.detail, /customerid/)
  for (let id = 1; id <= 12; id++) t.match(await read(id), { customeraddress: 'piliyandala' })

  const writer = await issuer.mint({ claims: { scope: 'customer:write' } })
  const blind = await send('PUT', PATH, { form, token: writer })
  t.equal(blind.statusCode, 409)
  t.equal(blind.json().total, 12)
  t.notHas(blind.json(), { candidates: [] }, 'callers who may not read are not told who')

  t.equal((await send('PUT', PATH, { form: { ...form, customerid: 7 } })).statusCode, 204)
  t.match(await read(7), { customeraddress: 'colombo' })
  t.match(await read(6), { customeraddress: 'piliyandala' })
})

t.test('PUT with customerid: id and name must be the same customer', async t => {
  const { send, register, read } = await build(t)
  await register(1)
  await register(2, 'other')
  const put = async (customerid: number, customername: string) =>
    (await send('PUT', PATH, { form: { customerid, customername, customeraddress: 'colombo' } })).statusCode
  t.equal(await put(3, 'charitha'), 404, 'unknown id')
  t.equal(await put(2, 'charitha'), 409, 'other name')
  t.match([await read(1), await read(2)], [{ customeraddress: 'piliyandala' }, { customeraddress: 'piliyandala' }])
  t.equal(await put(1, 'charitha'), 204)
  t.match(await read(1), { customeraddress: 'colombo' })
})

t.test('DELETE: 204; the id may be registered again at once, with another ETag', async t => {
  const { send, register } = await build(t)
  const etag = await register(1)
  const { statusCode, body } = await send('DELETE', `${PATH}/1`)
  t.equal(statusCode, 204)
  t.equal(body, '')
  t.equal((await send('GET', `${PATH}/1`)).statusCode, 404)
  t.equal((await send('DELETE', `${PATH}/1`)).statusCode, 404)
  t.not(await register(1, 'another'), etag)
})

t.test('DELETE takes no notice of a body, whatever its type', async t => {
  const { send, register } = await build(t)
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
    await register(1)
    const { statusCode } = await send('DELETE', `${PATH}/1`, { form: '{', headers: { 'content-type': type } })
    t.equal(statusCode, 204, type)
  }
})

t.test('the resource is below SERVICE_ROOT, which makes Location and links right behind a proxy', async t => {
  const { send } = await build(t, { SERVICE_ROOT: 'https://api.example/crm' })
  const created = await send('POST', `/crm${PATH}`, { form: charitha })
  t.equal(created.statusCode, 201)
  t.equal(created.headers.location, `https://api.example/crm${PATH}/1`)
  t.equal((await send('GET', `/crm${PATH}/1`)).body, 'charitha')
  t.equal((await send('GET', `${PATH}/1`)).statusCode, 404)
  const problem = (await send('GET', `/crm${PATH}/2`)).json()
  t.equal(problem.type, 'https://api.example/crm/problems/customer-unknown')
  t.equal((await send('GET', '/crm/problems/customer-unknown', { token: null })).statusCode, 200)
  for (const path of ['/health/ready', '/crm/health/ready', '/crm/openapi.json']) {
    t.equal((await send('GET', path, { token: null })).statusCode, 200, path)
  }
  const metadata = '/.well-known/oauth-protected-resource'
  t.match(
    (await send('GET', `/crm${PATH}/1`, { token: null })).headers['www-authenticate'],
    `resource_metadata="https://api.example${metadata}/crm"`
  )
  for (const path of [metadata, `${metadata}/crm`]) t.equal((await send('GET', path, { token: null })).statusCode, 200, path)
})
