import t from 'tap'
import { tokenChecked } from '../src/telemetry/events.js'
import { onPostgresql } from './database.js'
import { build, PATH } from './helper.js'
import { countBytes, countStatements } from './generated/measure.js'

const form = (id: number) => ({ customerid: id, customername: `name ${id}`, customerage: 33, customeraddress: 'piliyandala' })
const move = (id: number) => ({ customername: `name ${id}`, customeraddress: 'colombo' })
const times = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

t.test('each request is one statement, and those that come at once share one', async t => {
  const { send } = await build(t)
  const operations: Array<[name: string, request: (id: number) => Promise<{ statusCode: number }>, status: number]> = [
    ['POST', id => send('POST', PATH, { form: form(id) }), 201],
    ['GET', id => send('GET', `${PATH}/${id}`), 200],
    ['PUT', id => send('PUT', PATH, { form: move(id) }), 204],
    ['DELETE', id => send('DELETE', `${PATH}/${id}`), 204]
  ]
  for (const [name, request, status] of operations) {
    t.equal(await countStatements(async () => { t.equal((await request(1)).statusCode, status) }), 1, `one ${name}`)
    const at = times(32).map(i => i + 1)
    t.equal(await countStatements(async () => {
      t.same((await Promise.all(at.map(request))).filter(({ statusCode }) => statusCode !== status), [])
    }), 1, `${at.length} × ${name} at once`)
  }
})

t.test('1,000 requests with one token cost one signature check', async t => {
  const { send, register } = await build(t)
  const outcomes: string[] = []
  t.teardown(tokenChecked.watch(({ outcome }) => { outcomes.push(outcome) }))
  await register(1)
  for (let i = 1; i < 1_000; i++) await send('GET', `${PATH}/1`)
  t.equal(outcomes.filter(outcome => outcome === 'accepted').length, 1)
  t.equal(outcomes.filter(outcome => outcome === 'remembered').length, 999)
})

t.test('what a request allocates beyond one that does nothing stays small', async t => {
  const { send, register } = await build(t)
  for (const id of times(400)) await register(id, `name ${id}`)
  const perRequest = async (request: (id: number) => Promise<unknown>) => {
    await Promise.all(times(100).map(request))
    return await countBytes(async () => { for (const id of times(400)) await request(id) }) / 400
  }
  const nothing = await perRequest(() => send('GET', '/health/live'))
  const read = await perRequest(id => send('GET', `${PATH}/${id}`)) - nothing
  const write = await perRequest(id => send('PUT', PATH, { form: move(id) })) - nothing
  const limit = onPostgresql ? { read: 45_000, write: 60_000 } : { read: 24_000, write: 40_000 }
  t.ok(read < limit.read, `GET: ${Math.round(read)} bytes`)
  t.ok(write < limit.write, `PUT: ${Math.round(write)} bytes`)
})
