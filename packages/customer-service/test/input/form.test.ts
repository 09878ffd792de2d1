import t from 'tap'
import { PATH, build, type Send } from '../support/helper.js'

export const onBothDatabases = true

const good = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }

type Wrong = [name: string, form: NonNullable<Send['form']>, fields: string[]]

t.test('a form that is not valid: 400, with every field that is wrong', async t => {
  const { send, db } = await build(t)
  const id = (customerid: string | number): Wrong => [`customerid=${customerid}`, { ...good, customerid }, ['customerid']]
  const age = (customerage: string | number): Wrong => [`customerage=${customerage}`, { ...good, customerage }, ['customerage']]
  const named = (name: string, customername: string): Wrong => [name, { ...good, customername }, ['customername']]
  const table: Wrong[] = [
    ...['-', '+6', '1e3', '1.0', '0x10', ' 1', '1 ', '', '2147483648', '-2147483649', '99999999999', '٣', '１', '1_000', 'NaN', 'true'].map(id),
    ...['-', '2147483648', '33.0', '3e1', '+33', '', ' ', 'old', '٣٣'].map(age),
    named('a name of 101 letters', 'a'.repeat(101)),
    named('a name of 101 emoji', '🎉'.repeat(101)),
    named('a name of 101 characters, the last one blank, is not cut', 'a'.repeat(100) + ' '),
    ...['\0', '\n', '\t', '\x1b', '\x7f', '\x85', '\x9f'].map(control => named(`a control in a name: ${escape(control)}`, `a${control}b`)),
    ['an address of 201 characters', { ...good, customeraddress: 'a'.repeat(201) }, ['customeraddress']],
    ['a control in an address', { ...good, customeraddress: 'a\x07' }, ['customeraddress']],
    ['an empty body', '', ['customerid', 'customername', 'customerage', 'customeraddress']],
    [
      'everything wrong at once',
      'customerid=x&customerage=x&customername=a%00',
      ['customerid', 'customername', 'customerage', 'customeraddress']
    ],
    ['a repeated field', 'customerid=1&customerid=1&customername=a&customerage=1&customeraddress=b', ['customerid']],
    ['a field in another case', 'CustomerID=1&customername=a&customerage=1&customeraddress=b', ['CustomerID']],
    ['a field in both cases', 'CustomerID=1&customerid=1&customername=a&customerage=1&customeraddress=b', ['CustomerID']],
    ['too long', `customerid=1&customername=${'a'.repeat(101)}&customerage=1&customeraddress=${'b'.repeat(201)}`, ['customername', 'customeraddress']],
    ['a field without a value', 'customerid&customername=a&customerage=1&customeraddress=b', ['customerid']]
  ]
  for (const [name, form, fields] of table) {
    const { statusCode, body } = await send('POST', PATH, { form })
    const problem = JSON.parse(body)
    t.equal(statusCode, 400, name)
    t.match(problem, { type: '/problems/form-invalid' }, name)
    t.same(problem.errors?.map(({ field }: { field: string }) => field), fields, name)
  }
  const { errors } = (await send('POST', PATH, { form: 'CustomerID=1' })).json()
  t.match(errors[0].detail, 'did you mean `customerid`?')
  t.equal(await db.customer.count(), 0)
})

t.test('PUT reads customername, customeraddress and customerid, and no other field', async t => {
  const { send, register } = await build(t)
  await register(1)
  const table: Array<[form: string, status: number]> = [
    ['customername=charitha', 400],
    ['customeraddress=colombo', 400],
    ['customername=charitha&customeraddress=colombo&customerid=', 400],
    ['customername=charitha&customeraddress=colombo&customerid=1e0', 400],
    ['customername=charitha&customeraddress=colombo&CustomerId=1', 400],
    ['customername=charitha&customername=x&customeraddress=colombo', 400],
    ['customername=charitha&customeraddress=colombo&customerage=nonsense&CUSTOMERAGE=1', 204]
  ]
  for (const [form, status] of table) t.equal((await send('PUT', PATH, { form })).statusCode, status, form)
})

t.test('what a form may hold is stored, and comes back byte for byte', async t => {
  const { send, read } = await build(t)
  const names = [
    '',
    ' ',
    '\u200b',
    'a',
    'a'.repeat(100),
    '🎉'.repeat(100),
    ' padded ',
    'e\u0301',
    'é',
    "'; DROP TABLE customer; --",
    '<script>alert(1)</script>',
    '=1+1',
    '{{7*7}}',
    '%s%n',
    '%41',
    'a+b',
    'a&b=c',
    '\u202eabc',
    '\ufeffname',
    '\uffff',
    'null',
    '../../etc/passwd',
    '${jndi:ldap://x}', // eslint-disable-line no-template-curly-in-string
    '\ud83d\udc68\u200d\ud83d\udc69',
    '"\\'
  ]
  for (const [index, customername] of names.entries()) {
    const record = { customerid: index + 1, customername, customerage: 0, customeraddress: `${customername}\t\r\n${'🎉'.repeat(50)}` }
    const created = await send('POST', PATH, { form: record })
    t.equal(created.statusCode, 201, JSON.stringify(customername))
    t.same(await read(index + 1), record)
    t.ok((await send('GET', `${PATH}/${index + 1}`)).rawPayload.equals(Buffer.from(customername)))
  }
  for (const customerid of [2147483647, -2147483648, -1, 0]) {
    const record = { customerid, customername: 'x', customerage: customerid, customeraddress: '🎉'.repeat(200) }
    t.equal((await send('POST', PATH, { form: record })).statusCode, 201, `${customerid}`)
    t.same(await read(customerid), record)
  }
  t.equal((await send('POST', PATH, { form: { ...good, customerid: '0000000777' } })).statusCode, 201, 'leading zeros')
  t.match(await read(777), good.customername === 'charitha' ? { customerid: 777 } : {})
})

t.test('composed and decomposed forms find the same name; each reads back as written', async t => {
  const { send, register, read } = await build(t)
  await register(1, 'Rene\u0301')
  const { statusCode } = await send('PUT', PATH, { form: { customername: 'Ren\u00e9', customeraddress: 'colombo' } })
  t.equal(statusCode, 204)
  t.match(await read(1), { customername: 'Rene\u0301', customeraddress: 'colombo' })
  t.equal((await send('PUT', PATH, { form: { customerid: 1, customername: 'Ren\u00e9', customeraddress: 'kandy' } })).statusCode, 204)
})

t.test('a form that cannot be read: 400', async t => {
  const { send } = await build(t)
  const raw = (bytes: number[]) =>
    Buffer.concat([Buffer.from('customerid=1&customerage=1&customeraddress=b&customername='), Buffer.from(bytes)])
  const table: Array<[name: string, form: string | Buffer]> = [
    ['%FF', 'customername=%FF'],
    ['%', 'customername=100%'],
    ['%zz', 'customername=%zz'],
    ['%C3 without its second byte', 'customername=%C3&customeraddress=%A9'],
    ['an overlong slash', 'customername=%C0%AF'],
    ['a surrogate', 'customername=%ED%A0%80'],
    ['raw bytes that are not UTF-8', raw([0xff])],
    ['a raw cut character', raw([0xc3])],
    ['33 fields', Array.from({ length: 33 }, (_, index) => `f${index}=1`).join('&')],
    ['1,000 fields', Array.from({ length: 1000 }, (_, index) => `f${index}=1`).join('&')]
  ]
  for (const [name, form] of table) {
    const { statusCode, body } = await send('POST', PATH, { form })
    t.equal(statusCode, 400, name)
    t.match(JSON.parse(body), { type: '/problems/form-malformed' }, name)
  }
})

t.test('unknown fields are ignored, 32 fields are taken, __proto__ and constructor do nothing', async t => {
  const { send, read } = await build(t)
  const unknown = ['__proto__=x', 'constructor=y', 'toString=z', 'hasOwnProperty=1', '__proto__[customerage]=7', 'customer%5Bid%5D=2']
  const filler = Array.from({ length: 22 }, (_, index) => `f${index}=1`)
  const form = [...unknown, ...filler, 'customerid=1', 'customername=%20raw+plus', 'customerage=1', 'customeraddress=é'].join('&')
  t.equal((await send('POST', `${PATH}?customerid=9&customername=query`, { form: Buffer.from(form) })).statusCode, 201)
  t.same(await read(1), { customerid: 1, customername: ' raw plus', customerage: 1, customeraddress: 'é' })
  t.equal(({} as Record<string, unknown>).customerage, undefined)
})

t.test('fields in the query of the address are never read', async t => {
  const { send } = await build(t)
  const query = new URLSearchParams(Object.entries(good).map(([name, value]): [string, string] => [name, String(value)]))
  t.equal((await send('POST', `${PATH}?${query}`, { form: '' })).statusCode, 400)
})

function escape (control: string) {
  return `U+${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
