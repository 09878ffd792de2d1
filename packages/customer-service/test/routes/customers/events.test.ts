import t from 'tap'
import { buildOnce as build, PATH } from '../../support/helper.js'

const EVENTS = `${PATH}/events`

t.test('each change is an event of CloudEvents 1.0 that says what changed, without the values', async t => {
  const { send } = await build(t, { SERVICE_ROOT: 'https://api.example/crm' })
  const path = `/crm${PATH}`
  const form = { customerid: 7, customername: 'Zoë', customerage: 33, customeraddress: 'Rue 1' }
  const { headers: { etag } } = await send('POST', path, { form })
  await send('PATCH', `${path}/7`, { form: { customerage: 34, customeraddress: 'Rue 2' } })
  await send('DELETE', `${path}/7`)
  const answer = await send('GET', `${path}/events`)
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', vary: /Accept/ })
  const { events, next } = answer.json()
  const version = Number(/\d+/.exec(`${etag}`)?.[0])
  const common = { specversion: '1.0', source: `https://api.example${path}`, subject: '7', datacontenttype: 'application/json' }
  const all = ['customername', 'customerage', 'customeraddress']
  t.same(events.map(({ time, id, ...event }: { time: string, id: string }) => ({ id: id.replace(/-[0-9a-f]{12}$/, ''), ...event })), [
    { id: '1', ...common, type: 'customer.registered.v1', data: { customerid: 7, version, fields: all } },
    { id: '2', ...common, type: 'customer.updated.v1', data: { customerid: 7, version: version + 1, fields: ['customerage', 'customeraddress'] } },
    { id: '3', ...common, type: 'customer.removed.v1', data: { customerid: 7, version: version + 1, fields: all } }
  ])
  t.ok(Math.abs(Date.parse(events[0].time) - Date.now()) < 60_000)
  t.equal(next, events[2].id)
  t.notMatch(answer.body, /Zo|Rue/)
})

t.test('next leads from page to page, also from an empty one', async t => {
  const { send, register } = await build(t)
  const read = async (query: string) => (await send('GET', `${EVENTS}?${query}`)).json()
  const subjects = ({ events }: { events: Array<{ subject: string }> }) => events.map(({ subject }) => subject)
  const begin = await read('after=latest')
  t.match(begin, { events: [], next: /^0-[0-9a-f]{12}$/ })
  for (const id of [1, 2, 3]) await register(id)
  const first = await read(`after=${begin.next}&limit=2`)
  t.same([subjects(first), first.next], [['1', '2'], first.events[1].id])
  const { next, ...second } = await read(`after=${first.next}`)
  t.same([subjects(second), next], [['3'], second.events[0].id])
  t.match(next, /^3-[0-9a-f]{12}$/)
  t.same(await read(`after=${next}`), { events: [], next })
  t.same(await read('after=latest'), { events: [], next })
  t.same(subjects(await read('after=oldest')), ['1', '2', '3'])
  await register(4)
  t.same(subjects(await read(`after=${next}`)), ['4'])
})

t.test('refusals say what to do', async t => {
  const service = await build(t)
  const off = await build(t, { FEED_DAYS: '0' })
  const read = await service.issuer.mint({ claims: { scope: 'customer:write customer:delete' } })
  const position = 'Must be next of a response, the id of an event, oldest or latest.'
  const number = 'Is a position without its mark. Send next of a response or the id of an event as it is, oldest or latest.'
  const table: ReadonlyArray<readonly [path: string, options: Parameters<typeof service.send>[2], status: number, problem: object]> = [
    [EVENTS, { token: null }, 401, {}],
    [EVENTS, { token: read }, 403, {}],
    [EVENTS, { headers: { accept: 'text/csv' } }, 406, { type: '/problems/not-acceptable' }],
    [`${EVENTS}?after=-1&limit=1001&from=1`, {}, 400, {
      errors: [
        { field: 'after', detail: position }, { field: 'limit', detail: 'Must be a whole number from 1 to 1000, in digits.' },
        { field: 'from', detail: 'There is no such parameter. There are after, limit.' }
      ]
    }],
    [`${EVENTS}?after=01-aaaaaaaaaaaa`, {}, 400, { errors: [{ field: 'after', detail: position }] }],
    ...['0', '1', '42'].map(after => [`${EVENTS}?after=${after}`, {}, 400, { errors: [{ field: 'after', detail: number }] }] as const),
    [`${EVENTS}?after=1-aaaaaaaaaaaa`, {}, 410, { type: '/problems/position-gone', next: /^0-[0-9a-f]{12}$/ }]
  ]
  for (const [path, options, status, problem] of table) {
    const answer = await service.send('GET', path, options)
    t.equal(answer.statusCode, status, path)
    t.match(answer.json(), problem, path)
  }
  t.match((await off.send('GET', EVENTS)).json(), { status: 404, type: '/problems/feed-off' })
  for (const [method, status] of [['PUT', 405], ['DELETE', 405], ['OPTIONS', 204]] as const) {
    t.match(await service.send(method, EVENTS), { statusCode: status, headers: { allow: 'GET, HEAD, OPTIONS' } }, method)
  }
})
