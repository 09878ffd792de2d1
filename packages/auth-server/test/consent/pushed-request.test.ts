import t from 'tap'
import { createPushedRequests, REFERENCE_PREFIX } from '../../src/consent/pushed-request.js'

const now = new Date('2030-01-01T00:00:00Z')
const request = { clientId: 'app', query: 'client_id=app&state=secret' }

t.test('a reference gives the request back until it is too old, under an id of its own', async t => {
  const { seal, open } = createPushedRequests({ secretKey: 'a secret of this server' }, { add: async () => true })
  const [one, other] = [await seal(request, now), await seal(request, now)]
  t.ok(one.startsWith(REFERENCE_PREFIX))
  t.match(await open(one, 300, new Date(now.getTime() + 299_000)), { ...request, id: /^[\w-]{43}$/ })
  t.not((await open(one, 300, now))?.id, (await open(other, 300, now))?.id)
  t.equal(await open(one, 300, new Date(now.getTime() + 300_000)), null)
  t.equal(await open('', 300, now), null)
})
