import { loadedScripts } from '@frontdesk/test-kit/loaded-scripts'
import t from 'tap'
import { NO_ACTOR } from '../src/stores/changes/change.js'
import { expiringTables } from '../src/stores/expiring.js'
import { buildService, PATH, type Send } from './support/helper.js'

export const onBothDatabases = true

/** Others load the client. */
export const needsOwnProcess = true

/** What a first query of Prisma's client loads: its WebAssembly stops the event loop for longer than hundreds of requests. */
const CLIENT = /\/generated\/\w+\/client\.|@prisma\/client/

const form = { customerid: 3, customername: 'Zoë', customerage: 33, customeraddress: 'Rue 1' }
const json = { 'content-type': 'application/json' }
const BODIES: Send[] = [
  {},
  { token: null },
  { form },
  { form: { customername: 'Zoë', customeraddress: 'Rue 2' } },
  { form: { customername: 'Unknown', customeraddress: 'Rue 2' } },
  { form: { customername: 'Zoë', customeraddress: 'Rue 2', customerid: 9 } },
  { form: { customername: 'Zoë', customeraddress: 'Rue 2', customerid: 4 } },
  { form: { customername: 'Ann', customeraddress: 'Rue 2' }, headers: { 'if-match': '"other"' } },
  { form: JSON.stringify(form), headers: { ...json, 'idempotency-key': 'once' } },
  { form: JSON.stringify({ customerage: 34 }), headers: { 'content-type': 'application/merge-patch+json' } },
  { form: JSON.stringify([form]), headers: { ...json, 'idempotency-key': 'file' } },
  { form: '{', headers: json }
]

t.test('no request loads Prisma\'s client, whatever it is answered with, nor does any work behind the answers', async t => {
  const service = await buildService(t, { RATE_LIMIT: '100000/60s' })
  const { send, routes, customers } = service
  const statuses = new Map<string, Set<number>>()
  for (const { method, url } of routes) {
    for (const id of ['1', '9']) {
      for (const [index, body] of BODIES.entries()) {
        if (index === 0) {
          for (const [id, name] of [[1, 'Zoë'], [2, 'Zoë'], [4, 'Ann']] as const) {
            await customers.register({ id, name, age: 33, address: 'Rue 1' }, NO_ACTOR)
          }
        }
        const address = url.replace(/:(\w+)/g, (_, name) => name === 'version' ? '1' : id).replace('*', 'x')
        const { statusCode } = await send(method, address, body)
        const key = `${method} ${url}`
        statuses.set(key, (statuses.get(key) ?? new Set()).add(statusCode))
      }
    }
  }
  t.ok(routes.length > 20, `${routes.length} routes`)
  t.same([204, 404, 409, 412].filter(status => !statuses.get(`PUT ${PATH}`)!.has(status)), [])
  t.same([...statuses].filter(([, found]) => found.has(500)), [])

  for (const query of ['q=zoe&total=true', 'name=zoe&sort=-address', 'age_gte=3&sort=age']) {
    t.equal((await send('GET', `${PATH}?${query}`)).statusCode, 200, query)
  }
  for (const table of expiringTables) await service.removeExpired(table, new Date())
  await service.feed.catchUp()
  await service.changes.removeExpired(new Date())
  await service.backfill.run()
  const scripts = loadedScripts()
  t.ok(scripts.some(url => url.endsWith('/stores/customers/customers.js')))
  t.same(scripts.filter(url => CLIENT.test(url)), [])
})
