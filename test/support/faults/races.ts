import { authorizationUrl, Person } from '../person.js'
import { Load } from '../replicas/load.js'
import type { Stack } from '../stack.js'
import { count, type Outcome } from './workload.js'

/** What only one of many may do who do it at once. @param where which database, for the names */
export async function race (stack: Stack, where: string): Promise<Outcome[]> {
  const load = new Load(stack)
  await load.start({ people: 1, writers: 0 })
  await load.stop()
  const url = `${stack.address('customer-service')}/rest/qa/customer`
  const authorization = `Bearer ${load.tokens.at(-1)}`
  const send = async (method: string, form: Record<string, string>, headers = {}) =>
    (await fetch(url, { method, body: new URLSearchParams(form), headers: { authorization, ...headers } })).status

  const customer = { customerid: '2000000000', customername: 'one', customerage: '1', customeraddress: 'here' }
  const posted = await all(50, () => send('POST', customer))
  const etag = (await fetch(`${url}/2000000000`, { headers: { authorization } })).headers.get('etag')
  const put = await all(50, () => send('PUT', { customername: 'one', customeraddress: 'there' }, { 'if-match': etag }))

  const person = new Person(stack)
  await person.allow(authorizationUrl(stack), { username: 'demo', password: 'demo' })
  const page = await person.open(authorizationUrl(stack))
  const submitted = await all(100, async () => (await person.submit(page, { decision: 'allow' })).status)
  return [
    judge(`50 POSTs of one customer at once, ${where}`, posted, 201, 409),
    judge(`50 PUTs with one If-Match at once, ${where}`, put, 204, 412),
    judge(`100 posts of one consent form at once, ${where}`, submitted, 303, 400)
  ]
}

function all<T> (times: number, work: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, work))
}

/** One is done, the others are refused. */
function judge (name: string, statuses: number[], done: number, refused: number): Outcome {
  const acknowledged = statuses.filter(status => status === done).length
  const others = statuses.filter(status => status !== done)
  const wrong = [
    ...(acknowledged === 1 ? [] : [`${acknowledged} times ${done}`]),
    ...others.filter(status => status !== refused).map(status => `${status} instead of ${refused}`)
  ]
  return { name, sent: statuses.length, acknowledged, lost: [], refused: count(others), refusers: [], wrong, recovery: 0, slowest: 0 }
}
