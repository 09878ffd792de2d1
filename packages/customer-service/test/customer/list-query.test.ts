import t from 'tap'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import { parseCursor, formatCursor } from '../../src/customer/cursor.js'
import { parameters, type ParameterName, parseListQuery } from '../../src/customer/list-query.js'

t.test('a query without parameters asks for the first 50 customers by id', async t => {
  const { next, ...request } = parseListQuery('')
  t.strictSame(request, { query: { sort: 'id', descending: false, filters: { words: [] }, limit: 50 }, total: false, first: '' })
  t.strictSame(parseListQuery(`cursor=${next({ id: 7 })}`).query, { ...request.query, after: { id: 7 } })
})

t.test('every parameter, and the query of the first page in one way of writing it', async t => {
  const { query, total, first, next } = parseListQuery('total=true&limit=200&sort=-name&updated_since=2030-01-01t00:00:00z&age_lte=9&age_gte=1&q=B%20a+a&name_prefix=%C3%A9&name=Zo%C3%AB')
  t.strictSame(query, {
    sort: 'name', descending: true, limit: 200, filters: { words: ['b', 'a'], text: 'B a a', name: 'Zoë', namePrefix: 'é', minAge: 1, maxAge: 9, updatedSince: new Date('2030-01-01T00:00:00Z') }
  })
  t.equal(total, true)
  t.equal(first, 'name=Zo%C3%AB&name_prefix=%C3%A9&q=B+a+a&age_gte=1&age_lte=9&updated_since=2030-01-01t00%3A00%3A00z&sort=-name&limit=200&total=true')
  t.strictSame(parseListQuery(`${first}&cursor=${next({ id: 1, key: 'zoe' })}`).query.after, { id: 1, key: 'zoe' })
  t.equal(parseListQuery('sort=id&total=false').first, 'total=false', 'the usual order goes unsaid')
  t.strictSame(parseListQuery('sort=updated').query, { sort: 'updated', descending: false, filters: { words: [] }, limit: 50 })
  t.strictSame(parseListQuery('updated_since=0001-01-01T00:00:00Z').query.filters.updatedSince, new Date(0))
})

t.test('more than 32 parameters are refused, before they are compared with those that there are', async t => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36)).join('&')
  t.match(thrownBy(() => parseListQuery(names(32))), { members: { errors: { length: 32 } } })
  t.strictSame(parseListQuery(`${'&'.repeat(1_000)}limit=7`).query.limit, 7, 'empty ones do not count')
  for (const query of [names(33), names(4_000), 'limit=1&'.repeat(33), '=&'.repeat(8_000)]) {
    t.match(thrownBy(() => parseListQuery(query)), {
      kind: { name: 'query-invalid' }, message: 'The query has more than 32 parameters. Send only the operation\'s parameters.', members: { errors: undefined }
    }, query.slice(0, 20))
  }
})

t.test('a cursor is for one list: its filters and its order, whatever the size of a page', async t => {
  const cursor = parseListQuery('name=ann&limit=1&total=true').next({ id: 1 })
  for (const query of ['name=ann', 'name=ann&limit=9', 'name=ann&sort=id']) t.strictSame(parseListQuery(`${query}&cursor=${cursor}`).query.after, { id: 1 }, query)
  for (const query of ['', 'name=bob', 'name=ann&sort=-id', 'name=ann&sort=name', 'name=ann&q=a', 'name=ann&name_prefix=a', 'name=ann&age_gte=1', 'name=ann&age_lte=1', 'name=ann&updated_since=2030-01-01T00:00:00Z']) {
    t.match(thrownBy(() => parseListQuery(`${query}&cursor=${cursor}`)), {
      kind: { name: 'query-invalid' },
      message: 'Correct the parameters in errors: cursor.',
      members: { errors: [{ field: 'cursor', detail: 'Belongs to a list with another order or other filters, or was modified. Request the first page again.' }] }
    }, query)
  }
})

t.test('a cursor holds a position that its order has, and nothing else', async t => {
  const list = 'list'
  for (const [sort, position] of [
    ['id', { id: 1 }], ['id', { id: 2147483647 }], ['id', { id: 0 }], ['id', { id: -2147483648 }], ['age', { id: 1, key: -2147483648 }], ['name', { id: 1, key: '' }], ['name', { id: 1, key: 'é' }], ['age', { id: 1, key: 0 }], ['age', { id: 1, key: 150 }], ['address', { id: 1, key: ' rue 1' }], ['updated', { id: 1, key: 0 }], ['updated', { id: 1, key: 253402300799999 }]
  ] as const) t.strictSame(parseCursor(formatCursor(position, list), sort, list), position)
  for (const [sort, position] of [
    ['id', { id: -2147483649 }], ['id', { id: 2147483648 }], ['id', { id: 1.5 }], ['id', { id: '1' }], ['id', { id: 1, key: 'a' }], ['id', { id: 1, key: 1 }],
    ['name', { id: 1 }], ['name', { id: 1, key: 1 }], ['name', { id: 1, key: 'a\n' }], ['name', { id: 1, key: '\ud800' }],
    ['age', { id: 1 }], ['age', { id: 1, key: -2147483649 }], ['age', { id: 1, key: 2147483648 }], ['age', { id: 1, key: 'a' }], ['address', { id: 1 }], ['address', { id: 1, key: 1 }],
    ['updated', { id: 1 }], ['updated', { id: 1, key: -1 }], ['updated', { id: 1, key: 253402300800000 }], ['updated', { id: 1, key: 0.5 }], ['updated', { id: 1, key: 'a' }]
  ] as const) t.equal(parseCursor(formatCursor(position as { id: number }, list), sort, list), undefined, JSON.stringify(position))
  const made = formatCursor({ id: 1 }, list)
  const encode = (text: string) => Buffer.from(text).toString('base64url')
  const [digest] = JSON.parse(Buffer.from(made, 'base64url').toString())
  t.match(digest, /^[\w-]{8}$/)
  for (const cursor of ['', '-', `${made}A`, `${made}=`, encode('null'), encode('{}'), encode('"x"'), encode(`["${digest}", 1]`), encode('["xxxxxxxx",1]'), encode(`["${digest}",1,1]`)]) t.equal(parseCursor(cursor, 'id', list), undefined, cursor)
  t.equal(parseCursor(made, 'id', 'other'), undefined)
})

t.test('what a parameter may hold, with a sentence for what it may not', async t => {
  const noTime = 'Must be a time such as 2030-12-31T23:59:59Z (RFC 3339).'
  const noCursor = 'Is not a cursor of this service. Send next of a page unchanged.'
  const limit = 'Must be a whole number from 1 to 200, in digits.'
  const rows: Array<[name: ParameterName, value: string, detail: string | undefined]> = [
    ['name', 'a', undefined], ['name', '', undefined], ['name_prefix', '', 'Must have a character.'], ['name_prefix', 'x'.repeat(101), 'Must have at most 100 characters; it has 101.'],
    ['age_gte', '0', undefined], ['age_gte', '-2147483648', undefined], ['age_lte', '151', undefined], ['age_lte', '2147483648', 'Must be a whole number from -2147483648 to 2147483647, in digits.'],
    ['q', 'a', undefined], ['q', '1', undefined], ['q', ' !', 'Must have a letter or a digit.'], ['q', '', 'Must have a letter or a digit.'], ['q', 'a b c d e f g h', undefined], ['q', 'a b c d e f g h i', 'Must have at most 8 words; it has 9.'],
    ['q', '🙂'.repeat(199) + 'a', undefined], ['q', '🙂'.repeat(200) + 'a', 'Must have at most 200 characters.'],
    ...['2030-12-31T23:59:59Z', '2030-12-31t23:59:59.123456789z', '2030-12-31T23:59:59+02:00', '2030-12-31T23:59:59-23:59', '2028-02-29T00:00:00Z'].map((time): [ParameterName, string, undefined] => ['updated_since', time, undefined]),
    ...['', '2030-12-31', '2030-12-31T23:59:59', '2030-12-31 23:59:59Z', '2030-12-31T23:59:59.Z', '2030-12-31T23:59:59.1234567890Z', '2030-02-30T00:00:00Z', '2030-13-01T00:00:00Z', '2030-12-31T25:00:00Z', 'x2030-12-31T23:59:59Z', '+002030-12-31T23:59:59Z', '2030-12-31T23:59:59Zx', '2030-12-31T23:59:59+0200']
      .map((time): [ParameterName, string, string] => ['updated_since', time, noTime]),
    ['updated_since', '2030-12-31T23:59:59 02:00', noTime.replace('.', '; write + as %2B.')],
    ...['id', '-id', 'name', '-name', 'age', '-age', 'address', '-address', 'updated', '-updated'].map((sort): [ParameterName, string, undefined] => ['sort', sort, undefined]), ['sort', 'size', 'Must be one of id, -id, name, -name, age, -age, address, -address, updated, -updated.'],
    ['limit', '1', undefined], ['limit', '200', undefined], ['limit', '0000000001', undefined], ['limit', '0', limit], ['limit', '201', limit], ['limit', '00000000001', limit], ['limit', '1.0', limit], ['limit', 'x1', limit], ['limit', '1x', limit], ['limit', '', limit],
    ['total', 'true', undefined], ['total', 'false', undefined], ['total', '1', 'Must be one of true, false.'],
    ['cursor', 'aZ0_-', undefined], ['cursor', 'x'.repeat(2_000), undefined], ['cursor', '', noCursor], ['cursor', 'x'.repeat(2_001), noCursor], ['cursor', 'a=', noCursor], ['cursor', '=a', noCursor]
  ]
  for (const [name, value, detail] of rows) t.equal(parameters[name](value)?.detail, detail, `${name}=${value.slice(0, 40)}`)
})

t.test('every parameter that is wrong is named, with what was probably meant', async t => {
  t.match(thrownBy(() => parseListQuery('limit=0&limits=1&whatever=1&total=true&total=true')), {
    kind: { name: 'query-invalid' },
    message: 'Correct the parameters in errors: limit, limits, whatever, total.',
    members: {
      errors: [
        { field: 'limit', rule: 'integer', minimum: 1, maximum: 200, detail: 'Must be a whole number from 1 to 200, in digits.' },
        { field: 'limits', detail: 'There is no such parameter; did you mean `limit`?' },
        { field: 'whatever', detail: 'There is no such parameter. There are name, name_prefix, q, age_gte, age_lte, updated_since, sort, limit, cursor, total.' },
        { field: 'total', detail: 'Must be sent once; it came 2 times.' }
      ]
    }
  })
  t.match(thrownBy(() => parseListQuery('constructor=1')), { members: { errors: [{ field: 'constructor', detail: /^There is no such parameter\. / }] } })
  t.match(thrownBy(() => parseListQuery('limit=1&'.repeat(32))), { members: { errors: [{ field: 'limit', detail: 'Must be sent once; it came 32 times.' }] } })
  for (const query of ['name=%', 'name=%FF']) {
    t.match(thrownBy(() => parseListQuery(query)), {
      kind: { name: 'query-invalid' }, cause: URIError, message: 'A % in the query is not followed by the hexadecimal digits of UTF-8. Write % itself as %25.'
    })
  }
})
