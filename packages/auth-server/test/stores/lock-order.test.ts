import t from 'tap'
import type { Stores } from '../../src/stores/stores.js'
import { CHALLENGE, codeClient } from '../support/code-flow.js'
import { connectTo, onPostgresql } from '../support/database.js'
import { CALLBACK } from '../support/helper.js'
import { begin, checkOrders, grant, granted, hence, now, type Order } from '../support/stores/lock-order.js'

export const onBothDatabases = true

const HOUR = 3_600_000

/** Adds a code with its grant. */
async function addCode ({ codes, grants }: Stores, hash: string, { grantId = hash, clientId = 'a', codeChallenge = CHALLENGE } = {}) {
  await codes.add({ ...granted, hash, grantId, clientId, redirectUri: CALLBACK, callbackNamed: true, codeChallenge, authTime: now, amr: 'pwd' })
  await grants.add(grant(grantId, grantId, clientId))
}

const exchange = ({ codes }: Stores, hash: string, { clientId = 'a', codeChallenge = CHALLENGE, at = now } = {}) => codes.exchange(
  { hash, clientId, codeChallenge, redirectUri: CALLBACK, audience: undefined },
  {
    refreshToken: { hash: `token-${hash}`, familyHash: `family-${hash}`, expiresAt: hence, endsAt: hence },
    grantEndsAt: new Date(hence.getTime() + 1),
    tokensEndAt: hence
  },
  at
)

const rotate = ({ refreshTokens }: Stores, hash: string) => refreshTokens.rotate(
  { hash: `token-${hash}`, familyHash: `family-${hash}`, clientId: 'a', next: { salt: 'salt', hash: `next-${hash}` }, expiresAt: hence, tokensEndAt: hence, now }
)

t.test('of several exchanges without PKCE at once, a client keeps the time of the latest', async t => {
  const { stores } = await begin(t)
  const codeChallenge = ''
  for (const hash of ['1', '2', '3']) await addCode(stores, hash, { codeChallenge })
  const times = [1, 2, 0].map(hours => new Date(now.getTime() + hours * HOUR))
  await Promise.all(times.map((at, i) => exchange(stores, `${i + 1}`, { codeChallenge, at })))
  const [client] = await stores.clients.list()
  t.same(client?.withoutPkceAt, new Date(Math.floor(times[1]!.getTime() / HOUR) * HOUR))
})

/** What each waits for while another transaction locks its first row, and what it must not have locked by then. */
const ORDERS: Order[] = [
  [
    'assertions',
    async () => {},
    "INSERT INTO spent_id (id_hash, expires_at) VALUES ('a', now())",
    ({ spentIds }) => Promise.all(['z', 'a'].map(it => spentIds.add(it, hence))),
    "INSERT INTO spent_id (id_hash, expires_at) VALUES ('z', now())"
  ],
  [
    'grants',
    async ({ grants }) => {
      await grants.add(grant('m'))
    },
    'INSERT INTO access_grant SELECT (json_populate_record(g, \'{"id": "a", "nonce_hash": "a"}\')).* FROM access_grant g',
    ({ grants }) =>
      Promise.all(
        [
          ['z', '1'],
          ['a', '2']
        ].map(([nonceHash, id]) => grants.add(grant(nonceHash!, id)))
      ),
    'INSERT INTO access_grant SELECT (json_populate_record(g, \'{"id": "z", "nonce_hash": "z"}\')).* FROM access_grant g WHERE id = \'m\''
  ],
  [
    'codes',
    async stores => {
      for (const it of ['z', 'a']) await addCode(stores, it)
    },
    "SELECT 1 FROM authorization_code WHERE hash = 'a' FOR UPDATE",
    stores => Promise.all(['z', 'a'].map(it => exchange(stores, it))),
    "SELECT 1 FROM authorization_code WHERE hash = 'z' FOR UPDATE NOWAIT"
  ],
  [
    'refresh tokens',
    async stores => {
      for (const it of ['z', 'a']) {
        await addCode(stores, it)
        await exchange(stores, it)
      }
    },
    "SELECT 1 FROM refresh_token WHERE family_hash = 'family-a' FOR UPDATE",
    stores => Promise.all(['z', 'a'].map(it => rotate(stores, it))),
    "SELECT 1 FROM refresh_token WHERE family_hash = 'family-z' FOR UPDATE NOWAIT"
  ],
  [
    'the grants of codes',
    async stores => {
      await addCode(stores, '1', { grantId: 'z' })
      await addCode(stores, '2', { grantId: 'a' })
    },
    "SELECT 1 FROM access_grant WHERE id = 'a' FOR UPDATE",
    stores => Promise.all(['1', '2'].map(it => exchange(stores, it))),
    "SELECT 1 FROM access_grant WHERE id = 'z' FOR UPDATE NOWAIT"
  ],
  [
    'clients without PKCE',
    async stores => {
      await addCode(stores, '1', { codeChallenge: '', clientId: 'z' })
      await addCode(stores, '2', { codeChallenge: '', clientId: 'a' })
    },
    "SELECT 1 FROM client WHERE id = 'a' FOR NO KEY UPDATE",
    stores =>
      Promise.all(
        [
          ['1', 'z'],
          ['2', 'a']
        ].map(([hash, clientId]) => exchange(stores, hash!, { codeChallenge: '', clientId: clientId! }))
      ),
    "SELECT 1 FROM client WHERE id = 'z' FOR NO KEY UPDATE NOWAIT"
  ],
  [
    'grants that are revoked',
    async ({ grants }) => {
      for (const it of ['z', 'a']) await grants.add(grant(it))
    },
    "SELECT 1 FROM access_grant WHERE id = 'a' FOR UPDATE",
    ({ revocations }) => Promise.all(['z', 'a'].map(id => revocations.add({ id, revokedAt: now, endsAt: hence }))),
    "SELECT 1 FROM access_grant WHERE id = 'z' FOR UPDATE NOWAIT"
  ],
  [
    'the codes of a client that is removed',
    async stores => {
      for (const it of ['z', 'a']) await addCode(stores, it)
    },
    "SELECT 1 FROM authorization_code WHERE hash = 'a' FOR UPDATE",
    ({ clients }) => clients.remove('a'),
    "SELECT 1 FROM authorization_code WHERE hash = 'z' FOR UPDATE NOWAIT"
  ],
  [
    'the codes of a client that apply removes',
    async stores => {
      for (const it of ['z', 'a']) await addCode(stores, it)
    },
    "SELECT 1 FROM authorization_code WHERE hash = 'a' FOR UPDATE",
    ({ clients }) => clients.apply({ put: [], removed: ['a'] }),
    "SELECT 1 FROM authorization_code WHERE hash = 'z' FOR UPDATE NOWAIT"
  ],
  [
    'the clients that apply changes, after the codes of one that it removes',
    async stores => {
      await addCode(stores, 'code', { clientId: 'z' })
    },
    "SELECT 1 FROM authorization_code WHERE hash = 'code' FOR UPDATE",
    ({ clients }) => clients.apply({ put: [{ ...codeClient({ id: 'a' }), disabledAt: null }], removed: ['z'] }),
    "UPDATE client SET without_pkce_at = now() WHERE id = 'a'"
  ]
]

if (onPostgresql) {
  checkOrders(ORDERS)

  t.test('apply is retried when it conflicts with others', async t => {
    const { stores, url } = await begin(t)
    const operator = await connectTo(url)
    t.teardown(() => operator.close())
    // A sequence keeps its value when all else is undone.
    await operator.query(`CREATE SEQUENCE tries; CREATE FUNCTION third() RETURNS trigger AS $$ BEGIN
        IF nextval('tries') % 3 <> 0 THEN RAISE EXCEPTION USING ERRCODE = '40P01'; END IF; RETURN NEW; END $$ LANGUAGE plpgsql;
      CREATE TRIGGER third BEFORE UPDATE ON client FOR EACH ROW EXECUTE FUNCTION third()`)
    await stores.clients.apply({ put: [{ ...codeClient({ id: 'a', name: 'Changed' }), disabledAt: null }], removed: ['z'] })
    t.same((await stores.clients.list()).map(({ id, name }) => [id, name]), [['a', 'Changed']])
  })
}
