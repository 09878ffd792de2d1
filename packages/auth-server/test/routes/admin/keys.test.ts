import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { openKeyRing } from '../../../src/keys/key-ring.js'
import { buildAdmin } from '../../support/admin/admin.js'

export const onBothDatabases = true

t.test('an administrator rotates and retires signing keys; no answer has a private key', async t => {
  const { add, as, stores, logs } = await buildAdmin(t)
  const id = await add('root', 'administrator')
  const root = await as('root')
  const list = async () => (await root('GET', '/keys')).json().items
  const before = await list()
  t.match(before.find(({ signs }: { signs: string }) => signs === 'access tokens'), { alg: 'ES256', state: 'signing', retiresAt: null })

  const made = await root('POST', '/keys/rotate', { signsIn: 60 })
  t.equal(made.statusCode, 201)
  const [key] = made.json().items
  t.match(key, { alg: 'ES256', signs: 'access tokens', state: 'announced' })
  t.equal((await list()).length, before.length + 1)

  const retired = await root('POST', `/keys/${key.kid}/retire`)
  t.match(retired.json(), { kid: key.kid, state: 'retired' })
  t.equal((await root('POST', `/keys/${before[0].kid}/retire`)).statusCode, 409, 'no other key signs')

  const rows = (await stores.audit.list({}, 20)).filter(({ event }) => event.startsWith('keys '))
  t.match(rows.filter(({ requestId }) => requestId !== null).map(({ event, details }) => [event, details.by]),
    [['keys retire', id], ['keys rotate', id]])
  const { privateJwe } = (await stores.signingKeys.list())[0]!
  for (const text of [JSON.stringify(await list()), made.body, logs.join('')]) t.notMatch(text, privateJwe)
  t.notMatch(JSON.stringify(await list()), /"d"|privateJwe/)
})

t.test('requests that cannot be done say why', async t => {
  const { add, as } = await buildAdmin(t)
  await add('root', 'administrator')
  const root = await as('root')
  for (const [path, body, statusCode, field] of [
    ['/keys/rotate', { signsIn: 1 }, 400, 'signsIn'],
    ['/keys/rotate', { alg: 'none' }, 400, 'alg'],
    ['/keys/rotate', { idTokens: true }, 409, 'idTokens'],
    ['/keys/nothing/retire', undefined, 404, 'kid']
  ] as const) {
    const answer = await root('POST', path, body)
    t.match({ statusCode: answer.statusCode, errors: answer.json().errors }, { statusCode, errors: [{ field }] }, path)
  }
})

t.test('the keys of ID tokens are rotated together, once for an Idempotency-Key', async t => {
  const { add, as, stores } = await buildAdmin(t)
  await add('root', 'administrator')
  const root = await as('root')
  for (const signingAlg of ['ES256', 'EdDSA'] as const) await openKeyRing(stores.idTokenKeys.of(signingAlg), { ...loadConfig({}), signingAlg })
  const rotate = async () => await root('POST', '/keys/rotate', { idTokens: true }, { 'idempotency-key': '"rotation-1"' })
  const [first, again] = [await rotate(), await rotate()]
  t.equal(first.statusCode, 201, first.body)
  t.match(first.json().items, [{ alg: 'ES256', state: 'announced' }, { alg: 'EdDSA', state: 'announced' }])
  t.same([again.statusCode, again.headers['idempotent-replayed'], again.json()], [201, 'true', first.json()])
  t.equal((await root('GET', '/keys')).json().items.filter(({ signs }: { signs: string }) => signs === 'ID tokens').length, 4)
})
