import t from 'tap'
import { unlockUser } from '../../../src/admin/failed-sign-ins.js'
import { Browser, query } from '../../support/helper.js'
import { buildAdmin } from '../../support/admin/admin.js'

export const onBothDatabases = true

t.test('support sees from where sign-in has failed, and unlocks: the user signs in at once, and other users stay as they were', async t => {
  const { app, add, as, stores } = await buildAdmin(t)
  const sam = await add('sam', 'support')
  const id = await add('Zoë')
  const other = await add('zoe')
  const support = await as('sam')
  const attempt = async (address: string, password: string, username = 'Zoë') => {
    const { statusCode } = await new Browser(app, address).allow(query(), { username, password })
    return statusCode
  }
  const failed = async (user = id) => (await support('GET', `/users/${user}/failed-sign-ins`)).json().items
  t.same(await failed(), [])
  for (let times = 0; times < 7; times++) await attempt('192.0.2.9', 'wrong', 'ZOË')
  await attempt('2001:db8:0:1::7', 'wrong')
  await attempt('192.0.2.9', 'wrong', 'zoe')
  t.equal(await attempt('192.0.2.9', 'correct horse'), 429)

  const bySource = new Map((await failed()).map((it: { source: string }) => [it.source, it]))
  t.match(bySource.get('192.0.2.9'), { failures: 5, isLimited: true, until: /^\d{4}-/ })
  t.match(bySource.get('2001:db8:0:1::/64'), { failures: 1, isLimited: false })
  t.same([...bySource.keys()].sort(), ['192.0.2.9', '2001:db8:0:0::/56', '2001:db8:0:1::/64', '2001:db8:0::/48'])

  t.equal((await support('POST', `/users/${id}/unlock`)).statusCode, 204)
  t.same(await failed(), [])
  t.equal(await attempt('192.0.2.9', 'correct horse'), 303)
  t.match(await failed(other), [{ source: '192.0.2.9', failures: 1 }])
  t.equal((await support('POST', `/users/${id}/unlock`)).statusCode, 204, 'nothing to do')
  t.match(await stores.audit.list({ event: 'user unlock' }, 10), [{ userId: id, details: { by: sam } }], 'only what was done is recorded')
})

t.test('an unlocked user signs in with the address that was typed before, too', async t => {
  const { app, add, as, stores } = await buildAdmin(t)
  await add('sam', 'support')
  const id = await add('zoe')
  await stores.profiles.change({ id }, { email: 'zoe@example.com', emailVerified: true })
  const support = await as('sam')
  const attempt = async (password: string) =>
    (await new Browser(app, '192.0.2.9').allow(query(), { username: 'ZOE@example.com', password })).statusCode
  for (let times = 0; times < 6; times++) await attempt('wrong')
  t.equal(await attempt('correct horse'), 429)
  await support('POST', `/users/${id}/unlock`)
  t.equal(await attempt('correct horse'), 303)
})

t.test('support unlocks no one with a built-in role, and no one who does not exist', async t => {
  const { add, as, stores } = await buildAdmin(t)
  await add('sam', 'support')
  const root = await add('root', 'auditor')
  const support = await as('sam')
  t.equal((await support('POST', `/users/${root}/unlock`)).statusCode, 403)
  t.equal((await support('POST', '/users/nothing/unlock')).statusCode, 404)
  const robot = { kind: 'client', clientId: 'robot', source: '192.0.2.1' } as const
  await t.rejects(unlockUser(stores, { id: root }, robot), { code: 'forbidden' }, 'nor does a client')
  t.equal((await support('GET', '/users/nothing/failed-sign-ins')).statusCode, 404)
})
