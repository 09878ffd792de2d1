import t from 'tap'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import { identifyRequest } from '../../src/customer/idempotency.js'
import { readForm, readJson, type CustomerBody } from '../../src/customer/body.js'
import { parsePatch, parseReplacement } from '../../src/customer/changes.js'
import { fields, type FieldName } from '../../src/customer/fields.js'
import { parseAddressChange, parseRegistration } from '../../src/customer/forms.js'
import { parseId } from '../../src/customer/id.js'
import { nearest } from '../../src/customer/nearest.js'
import { parseForm } from '../../src/input/form.js'

const form = (text: string) => parseForm(Buffer.from(text))
const written = (text: string) => readForm(Buffer.from(text))
const json = (value: unknown) => readJson(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
const all = 'customerid=7&customername=ann&customerage=33&customeraddress=rue'
const errors = (call: () => unknown) => (thrownBy(call) as { members: { errors: object[] } }).members.errors

t.test('an identifier is any signed 32-bit integer, in digits, written in one way', async t => {
  for (const [text, id] of [['1', 1], ['10', 10], ['2147483647', 2147483647], ['0', 0], ['-1', -1], ['-2147483648', -2147483648]] as const) t.equal(parseId(text), id)
  for (const text of ['', '-', '-0', '00', '01', '-01', '+1', '--1', '1.0', '1e3', ' 1', '1 ', '1x', 'x1', '2147483648', '-2147483649', '12345678901', '-12345678901', '١', '−1']) {
    t.match(thrownBy(() => parseId(text)), { kind: { name: 'customer-unknown' }, message: 'An identifier is a whole number from -2147483648 to 2147483647, without leading zeros.' }, text)
  }
})

t.test('what each field may hold, with a sentence for what it may not', async t => {
  const integer = 'Must be a whole number from -2147483648 to 2147483647, in digits.'
  const rows: Array<[field: FieldName, value: string, detail: string | undefined]> = [
    ...(['customerid', 'customerage'] as const).flatMap(name => [
      ...['1', '0', '-0', '-1', '151', '2147483647', '-2147483648', '0000000001', '-0000000001'].map((value): [FieldName, string, undefined] => [name, value, undefined]),
      ...['2147483648', '-2147483649', '00000000001', '1e3', '1.0', '+6', '--1', '-', '1 ', ' 1', '', 'NaN', '−1'].map((value): [FieldName, string, string] => [name, value, integer])
    ]),
    ['customername', 'a', undefined], ['customername', ' a ', undefined], ['customername', '🙂'.repeat(100), undefined], ['customername', '🙂'.repeat(101), 'Must have at most 100 characters; it has 101.'],
    ['customername', '', undefined], ['customername', ' \u3000\u200b', undefined], ['customername', 'a\tb', 'Must hold no control characters.'], ['customername', 'a\x85', 'Must hold no control characters.'], ['customername', 'a\ud800', 'Must be Unicode, without half a surrogate pair.'],
    ['customeraddress', '', undefined], ['customeraddress', 'x'.repeat(200), undefined], ['customeraddress', 'x'.repeat(201), 'Must have at most 200 characters; it has 201.'], ['customeraddress', 'a\tb\r\nc', undefined], ['customeraddress', 'a\0', 'Must hold no control characters but TAB, LF and CR.'], ['customeraddress', 'a\x0b', 'Must hold no control characters but TAB, LF and CR.']
  ]
  for (const [field, value, detail] of rows) t.equal(fields[field].check(value)?.detail, detail, `${field} ${value.slice(0, 20)}`)
})

t.test('a registration needs every field, once', async t => {
  t.strictSame(parseRegistration(written(all)), { id: 7, name: 'ann', age: 33, address: 'rue' })
  t.strictSame(parseRegistration(written('customerid=-0&customername=&customerage=-0&customeraddress=')), { id: 0, name: '', age: 0, address: '' }, 'there is no negative zero')
  t.match(thrownBy(() => parseRegistration(written('customerid=2147483648&customername=a&customername=b&customerage=&CustomerAddress=x&customeraddres=y'))), {
    kind: { name: 'form-invalid' },
    message: 'Correct the fields in errors: CustomerAddress, customerid, customername, customerage.',
    members: {
      errors: [
        { field: 'CustomerAddress', detail: 'There is no such field; did you mean `customeraddress`?' },
        { field: 'customerid', rule: 'integer', minimum: -2147483648, maximum: 2147483647, detail: /^Must be a whole number from / },
        { field: 'customername', detail: 'Must be sent once; it came 2 times.' },
        { field: 'customerage', detail: 'Must be a whole number from -2147483648 to 2147483647, in digits.' }
      ]
    }
  })
  for (const name of ['customerid', 'customername', 'customerage', 'customeraddress']) {
    t.strictSame(errors(() => parseRegistration(written(all.replace(new RegExp(`${name}=\\w+&?`), '')))), [{ field: name, rule: 'missing', detail: 'Is missing.' }])
  }
  t.equal(errors(() => parseRegistration(written(`${all}&CUSTOMERID=7`))).length, 1, 'misspelt in addition to the right one')
  t.match(errors(() => parseRegistration(written('CustomerAge=x&customerid=1&customername=a'))), [{ field: 'CustomerAge' }, { field: 'customeraddress', detail: 'Is missing.' }])
  t.ok(parseRegistration(written(`${all}&other=x`)), 'what is not read may be anything')
})

t.test('a move needs name and address; the id says which of several', async t => {
  t.strictSame(parseAddressChange(form('customername=ann&customeraddress=rue')), { name: 'ann', address: 'rue' })
  t.strictSame(parseAddressChange(form(all)), { name: 'ann', address: 'rue', id: 7 })
  t.strictSame(errors(() => parseAddressChange(form('customerid=x'))).map(error => (error as { field: string }).field), ['customername', 'customeraddress', 'customerid'])
  t.strictSame(errors(() => parseAddressChange(form('customername=a&customeraddress=b&CustomerId=1'))), [{ field: 'CustomerId', detail: 'There is no such field; did you mean `customerid`?' }])
})

const change = { customername: 'ann', customerage: 33, customeraddress: 'rue' }
const wrongId = 'Must be 7, the identifier in the path, or be left out.'

t.test('a replacement needs everything but the id, which may repeat that of the path', async t => {
  for (const body of [json(change), json({ ...change, customerid: 7 }), json({ ...change, customerid: null, other: null }), readForm(Buffer.from(all)), readForm(Buffer.from(all.replace('customerid=7&', '')))]) {
    t.strictSame(parseReplacement(body, 7), { name: 'ann', age: 33, address: 'rue' })
  }
  const rows: Array<[body: CustomerBody, kind: string, errors: object[]]> = [
    [json({ ...change, customerid: 8 }), 'json-invalid', [{ field: 'customerid', detail: wrongId }]],
    [readForm(Buffer.from(all.replace('=7', '=8'))), 'form-invalid', [{ field: 'customerid', detail: wrongId }]],
    [readForm(Buffer.from(`${all}&customerid=7`)), 'form-invalid', [{ field: 'customerid', detail: 'Must be sent once; it came 2 times.' }]],
    [json({ customername: null, customerage: '33', customeraddress: 1 }), 'json-invalid', [
      { field: 'customername', detail: 'Must not be null: every customer has it.' }, { field: 'customerage', detail: 'Must be a JSON number.' }, { field: 'customeraddress', detail: 'Must be a JSON string.' }
    ]],
    [json('{"customername":"a","customername":"b","customername":"c","customerage":1,"customeraddress":"x"}'), 'json-invalid', [{ field: 'customername', detail: 'Must be sent once; it came 3 times.' }]],
    [json({}), 'json-invalid', ['customername', 'customerage', 'customeraddress'].map(field => ({ field, rule: 'missing', detail: 'Is missing.' }))]
  ]
  for (const [body, kind, expected] of rows) {
    t.match(thrownBy(() => parseReplacement(body, 7)), { kind: { name: kind } })
    t.strictSame(errors(() => parseReplacement(body, 7)), expected)
  }
})

t.test('a patch changes what it holds (RFC 7396), and has to hold something', async t => {
  t.strictSame(parsePatch(json(change), 7), { name: 'ann', age: 33, address: 'rue' })
  t.strictSame(parsePatch(json({ customerage: 0, customerid: 7 }), 7), { age: 0 })
  t.strictSame(parsePatch(json({ customername: 'x' }), 7), { name: 'x' })
  t.strictSame(parsePatch(readForm(Buffer.from('customeraddress=x&other=y')), 7), { address: 'x' })
  t.strictSame(errors(() => parsePatch(json({ customerid: null, customername: null }), 7)), ['customerid', 'customername'].map(field => ({ field, detail: 'Must not be null: every customer has it.' })), 'null would remove it')
  t.strictSame(errors(() => parsePatch(json({ customerid: 8, customerage: 1 }), 7)), [{ field: 'customerid', detail: wrongId }])
  const nothing = thrownBy(() => parsePatch(json({ customerid: 7, customer_name: 'x', nothing: [] }), 7))
  t.match(nothing, { kind: { name: 'json-invalid' }, message: 'Send at least one of customername, customerage and customeraddress.' })
  t.strictSame((nothing as { members: unknown }).members, {
    errors: [{ field: 'customer_name', detail: 'There is no such field; did you mean `customername`?' }, { field: 'nothing', detail: 'There is no such field.' }]
  })
  for (const [written, meant] of [['customeradress', 'customeraddress'], ['customerages', 'customerage']]) t.match(errors(() => parsePatch(json({ [written!]: 1 }), 7)), [{ detail: `There is no such field; did you mean \`${meant}\`?` }])
  t.strictSame(errors(() => parsePatch(json({ CUSTOMERAGE: 1 }), 7)), [{ field: 'CUSTOMERAGE', detail: 'There is no such field; did you mean `customerage`?' }])
})

t.test('the name that was meant is at most two letters away', async t => {
  const names = ['limit', 'sort', 'age_gte', 'q']
  for (const [written, meant] of [['limit', 'limit'], ['Limit', 'limit'], ['limmitt', 'limit'], ['srt', 'sort'], ['age-gte', 'age_gte'], ['AGEGTE', 'age_gte'], ['age-gtexx', 'age_gte']] as const) t.equal(nearest(written, names), meant, written)
  for (const written of ['limitation', 'x', '', 'so', `limit${'x'.repeat(28)}`]) t.equal(nearest(written, names.filter(name => name !== 'so')), written === 'so' ? 'sort' : undefined, written)
  t.equal(nearest('sort', []), undefined)
  const long = 'x'.repeat(32)
  t.equal(nearest(long, [long]), long)
  t.equal(nearest(`${long}x`, [`${long}x`]), undefined, 'too long to be looked at')
})

t.test('an idempotent request belongs to its caller, and is the same only with the same customer', async t => {
  const customer = { id: 1, name: 'ann', age: 33, address: 'rue' }
  const caller = { sub: 'a', client_id: 'b' }
  const request = identifyRequest('key', caller, customer)
  t.strictSame(identifyRequest('key', { ...caller }, { ...customer }), request)
  t.match(request, { hash: /^[\w-]{43}$/, fingerprint: /^[\w-]{43}$/ })
  for (const other of [null, { ...caller, sub: 'c' }, { ...caller, client_id: 'c' }]) {
    t.not(identifyRequest('key', other, customer).hash, request.hash)
    t.equal(identifyRequest('key', other, customer).fingerprint, request.fingerprint)
  }
  t.not(identifyRequest('key', null, customer).hash, identifyRequest('other', null, customer).hash)
  for (const changed of [{ id: 2 }, { name: 'bob' }, { age: 34 }, { address: 'road' }]) {
    t.not(identifyRequest('key', caller, { ...customer, ...changed }).fingerprint, request.fingerprint)
    t.equal(identifyRequest('key', caller, { ...customer, ...changed }).hash, request.hash)
  }
  t.not(identifyRequest('other', caller, customer).fingerprint, request.fingerprint)
})
