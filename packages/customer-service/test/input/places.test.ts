import t from 'tap'
import { Slots } from '../../src/input/slots.js'

t.test('a person has a share with each app, twice that with all apps, and leaves places to others', async t => {
  const places = new Slots({ total: 6, share: 2 })
  const take = (app: string, person = 'p') => places.acquire({ app: `${person} with ${app}`, person })
  const [first] = [take('a')!, take('a')]
  t.equal(take('a'), null, 'its share')
  t.ok(take('b'))
  t.ok(take('c'))
  t.equal(take('d'), null, 'with all apps')
  t.ok(take('d', 'q'))
  t.ok(take('d', 'q'))
  t.equal(take('d', 'r'), null, 'all places')
  first()
  t.equal(places.open, 5)
  t.ok(take('d'))
  t.equal(places.open, 6)
})
