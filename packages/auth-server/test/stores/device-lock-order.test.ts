import { onPostgresql } from '../support/database.js'
import t from 'tap'
import type { Stores } from '../../src/stores/stores.js'
import { begin, checkOrders, grant, hence, now, type Order } from '../support/stores/lock-order.js'

export const onBothDatabases = true

/** Adds the code of a device, with its grant. */
async function addDevice ({ deviceCodes }: Stores, hash: string, clientId = 'a') {
  const request = { clientId, scope: 'a', audience: 'api', createdAt: now, expiresAt: hence }
  await deviceCodes.add({ ...request, hash, userCodeHash: hash, acrValues: '', maxAge: null, pollInterval: 5 })
  await deviceCodes.allow(hash, grant(hash, hash, clientId), { authTime: now, amr: 'pwd' }, now)
}

const poll = ({ deviceCodes }: Stores, hash: string, clientId = 'a') =>
  deviceCodes.poll({ hash, clientId, audience: undefined }, { refreshToken: null, grantEndsAt: hence, tokensEndAt: hence }, now)

const ORDERS: Order[] = [
  [
    'device codes',
    async stores => {
      for (const it of ['z', 'a']) await addDevice(stores, it)
    },
    "SELECT 1 FROM device_code WHERE hash = 'a' FOR UPDATE",
    stores => Promise.all(['z', 'a'].map(it => poll(stores, it))),
    "SELECT 1 FROM device_code WHERE hash = 'z' FOR UPDATE NOWAIT"
  ],
  [
    'the device codes of a client that is removed',
    async stores => {
      for (const it of ['z', 'a']) await addDevice(stores, it)
    },
    "SELECT 1 FROM device_code WHERE hash = 'a' FOR UPDATE",
    ({ clients }) => clients.remove('a'),
    "SELECT 1 FROM device_code WHERE hash = 'z' FOR UPDATE NOWAIT"
  ]
]

t.test('devices of several clients that ask at once get their own tokens, and none those of another', async t => {
  const { stores } = await begin(t)
  for (const clientId of ['a', 'z']) await addDevice(stores, clientId, clientId)
  const asked = ['a', 'z'].flatMap(hash => ['a', 'z'].map(clientId => ({ hash, clientId })))
  const answers = await Promise.all(asked.map(async ({ hash, clientId }) => ({ hash, clientId, ...await poll(stores, hash, clientId) })))
  t.match(answers.filter(({ state }) => state === 'granted'), [
    { hash: 'a', clientId: 'a', grantId: 'a' }, { hash: 'z', clientId: 'z', grantId: 'z' }
  ])
  t.equal(answers.filter(({ state }) => state === 'invalid').length, 2)
})

if (onPostgresql) checkOrders(ORDERS)
