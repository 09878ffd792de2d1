import t from 'tap'
import { Slots } from '../../src/input/slots.js'

t.test('a user has a share with each client, twice that with all clients, and leaves slots to others', async t => {
  const slots = new Slots({ total: 6, share: 2 })
  const take = (client: string, user = 'p') => slots.acquire({ client: `${user} with ${client}`, user })
  const [first] = [take('a')!, take('a')]
  t.equal(take('a'), null, 'its share')
  t.ok(take('b'))
  t.ok(take('c'))
  t.equal(take('d'), null, 'with all clients')
  t.ok(take('d', 'q'))
  t.ok(take('d', 'q'))
  t.equal(take('d', 'r'), null, 'all slots')
  first()
  t.equal(slots.open, 5)
  t.ok(take('d'))
  t.equal(slots.open, 6)
})
