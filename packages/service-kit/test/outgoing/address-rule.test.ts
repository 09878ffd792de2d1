import t from 'tap'
import { addressRule, onlyLoopback } from '../../src/outgoing/address-rule.js'
import { Outgoing } from '../../src/outgoing/outgoing.js'

const PUBLIC = ['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8']
const PRIVATE = [
  '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '::1', 'fc00::1', 'fd12:3456::1',
  '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::7f00:1'
]
/** Of the registries of special-purpose addresses (RFC 6890) and multicast. */
const NEVER = [
  '0.0.0.0', '0.1.2.3', '169.254.169.254', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1',
  '240.0.0.1', '255.255.255.255', '::', '::7f00:1', '::ffff:0:127.0.0.1', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1',
  '100::1', '2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fe80::1', 'fec0::1',
  'ff02::1', '4000::1', 'localhost', ''
]

t.test('public addresses are accepted, private ones if allowed, special ones never', async t => {
  for (const address of PUBLIC) t.same([addressRule(false)(address), addressRule(true)(address)], [true, true], address)
  for (const address of PRIVATE) t.same([addressRule(false)(address), addressRule(true)(address)], [false, true], address)
  for (const address of NEVER) t.same([addressRule(false)(address), addressRule(true)(address)], [false, false], address)
  t.same(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '8.8.8.8'].map(onlyLoopback), [true, true, true, false, false])
})

t.test('every way to write an address into a URL is recognized', async t => {
  const outgoing = new Outgoing({ allowPrivateNetworks: false, maxAtOnce: 1 })
  const hosts = [
    '127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '127.0.0.1.', '①②⑦.0.0.1', '0', '%31%32%37.1',
    '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '10.1', '169.254.169.254'
  ]
  for (const host of hosts) {
    await t.rejects(outgoing.send({ url: `https://${host}/`, timeoutMs: 1_000, maxBytes: 1 }), { code: 'address' }, host)
  }
})
