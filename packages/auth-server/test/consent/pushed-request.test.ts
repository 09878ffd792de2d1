import t from 'tap'
import { createPushedRequests, REFERENCE_PREFIX } from '../../src/consent/pushed-request.js'

const now = new Date('2030-01-01T00:00:00Z')
const app = { id: 'app', tokenEndpointAuthMethod: 'none', registeredBy: 'operator' } as const
const query = 'client_id=app&state=secret'
const unused = async () => { throw new Error('a short request of a public client needs no database') }
const database = {
  spentIds: { add: async () => true, has: unused }, pushedRequests: { add: unused, find: unused, remove: unused, sweep: unused }
}

t.test('a reference gives the request back until it is too old, under an id of its own', async t => {
  const { seal, open } = createPushedRequests({ secretKey: 'a secret of this server' }, database)
  const [one, other] = [await seal(app, query, now) ?? '', await seal(app, query, now) ?? '']
  t.ok(one.startsWith(REFERENCE_PREFIX))
  t.match(await open(one, 300, new Date(now.getTime() + 299_000)), { clientId: 'app', query, id: /^[\w-]{43}$/ })
  t.not((await open(one, 300, now))?.id, (await open(other, 300, now))?.id)
  t.equal(await open(one, 300, new Date(now.getTime() + 300_000)), null)
  t.equal(await open(`${REFERENCE_PREFIX}.`, 300, now), null)
})
