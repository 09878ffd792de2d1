import t from 'tap'
import { createNonces } from '../../src/dpop/nonces.js'

const key = (fill: number) => new Uint8Array(32).fill(fill)
const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000)

t.test('a nonce is valid for two to three minutes, on every replica with the key, also if its clock is a minute behind', t => {
  const [one, other] = [createNonces([key(1)]), createNonces([key(1)])]
  const nonce = one.current(at(0))
  t.match(nonce, /^[\w-]{43}$/)
  t.equal(one.current(at(59)), nonce)
  t.not(one.current(at(60)), nonce)
  t.same([-61, -60, 0, 179, 180].map(seconds => other.has(nonce, at(seconds))), [false, true, true, true, false])
  t.same([undefined, '', 'x', `${nonce}=`].map(it => other.has(it, at(0))), [false, false, false, false])
  t.end()
})

t.test('no nonce that is valid at a time is valid at its end, on any replica', t => {
  const nonces = createNonces([key(1)])
  for (const seconds of [0, 1, 30, 59]) {
    const end = nonces.expiry(at(seconds))
    // Made by a replica that is a minute ahead, tried at one that is a minute behind.
    const latest = createNonces([key(1)]).current(at(seconds + 60))
    t.ok(nonces.has(latest, at(seconds)))
    t.notOk(nonces.has(latest, new Date(end.getTime() - 60_000)))
  }
  t.end()
})

t.test('while the key changes, nonces of both are valid; of others none', t => {
  const changed = createNonces([key(2), key(1)])
  t.ok(changed.has(createNonces([key(1)]).current(at(0)), at(0)))
  t.equal(changed.current(at(0)), createNonces([key(2)]).current(at(0)))
  t.notOk(changed.has(createNonces([key(3)]).current(at(0)), at(0)))
  t.end()
})
