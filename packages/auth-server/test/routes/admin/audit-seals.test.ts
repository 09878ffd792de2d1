import t from 'tap'
import { buildAdmin } from '../../support/admin/admin.js'
import { sealTrail } from '../../support/admin/seal.js'
import { connectTo, tablesNaming } from '../../support/database.js'
import { Browser, query } from '../../support/helper.js'
import { deriveKey, seal } from '../../../src/keys/seal.js'

export const onBothDatabases = true

t.test('the seals are verified page by page, and health names the newest that fails', async t => {
  const { add, as, stores, databaseUrl, app } = await buildAdmin(t)
  await add('root', 'auditor')
  const auditor = await as('root')
  const verify = async (query = '') => (await auditor('GET', `/audit/seals${query}`)).json()
  t.same(await verify(), { items: [], next: null })
  for (let i = 0; i < 3; i++) {
    app.auditTrail.record({ event: 'grant', outcome: 'code' })
    await app.auditTrail.flush()
    await sealTrail(stores)
  }
  const { items, next } = await verify('?limit=2')
  t.match(items, [{ seal: 1, fault: null, sealedAt: /Z$/ }, { seal: 2, fault: null, rows: 1, removed: 0 }])
  t.equal(next, '2')
  t.match(await verify(`?after=${next}`), { items: [{ seal: 3, fault: null }], next: null })
  const finding = async () =>
    (await auditor('GET', '/health')).json().findings.find(({ check }: { check: string }) => check === 'audit-seals')
  t.match(await finding(), { state: 'ok', sentence: 'The newest seal of the audit trail, seal 3, is valid.' })

  const thief = await connectTo(databaseUrl)
  t.teardown(() => thief.close())
  await thief.query("UPDATE audit SET outcome = 'implicit' WHERE position = (SELECT last FROM audit_seal WHERE number = 3)")
  t.match(await verify('?after=2'), { items: [{ seal: 3, fault: 'Seal 3 fails: rows were changed.' }] })
  t.match(await finding(), { state: 'wrong', sentence: 'Seal 3 fails: rows were changed.' })
  t.equal((await auditor('GET', '/audit/seals?after=x')).statusCode, 400)
})

t.test('health says so on a replica whose SECRET_KEY does not open the key of the seals, as while it is changed', async t => {
  const { add, as, stores, app } = await buildAdmin(t)
  await add('root', 'auditor')
  const auditor = await as('root')
  app.auditTrail.record({ event: 'grant', outcome: 'code' })
  await app.auditTrail.flush()
  await sealTrail(stores)
  const jwe = (await stores.auditSeals.key.read())!
  await stores.auditSeals.key.replace(jwe, await seal({ kty: 'oct', k: 'x' }, deriveKey('another', 'audit seals')))
  const { statusCode, body } = await auditor('GET', '/health')
  t.equal(statusCode, 200, body)
  t.match(JSON.parse(body).findings.find(({ check }: { check: string }) => check === 'audit-seals'), {
    state: 'wrong', sentence: /SECRET_KEY is not the one/
  })
  t.equal((await auditor('GET', '/audit/seals')).statusCode, 409)
})

t.test('events that are not sealed for long are a warning', async t => {
  const { add, as, app } = await buildAdmin(t)
  // First, so that no newer event is before it.
  app.auditTrail.record({ event: 'grant', outcome: 'code' }, new Date(Date.now() - 3_600_000))
  await app.auditTrail.flush()
  await add('root', 'auditor')
  const auditor = await as('root')
  const { status, findings } = (await auditor('GET', '/health')).json()
  t.equal(status, 'warning')
  t.match(findings.find(({ check }: { check: string }) => check === 'audit-seals'), { state: 'warning', sentence: /not been sealed since .*Z\./ })
})

t.test('whatever is done to a user, the trail does not name them: to erase them changes no row, and all seals stay valid', async t => {
  const { add, as, stores, databaseUrl, app } = await buildAdmin(t)
  await add('root', 'administrator')
  const root = await as('root')
  const { id } = (await root('POST', '/invitations', {
    username: 'Umayalini', name: 'Umayalini Example', email: 'umayalini@mail.example', emailVerified: true
  })).json().user
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'Umayalini Other', roles: ['support'] }],
    ['POST', '/reset'],
    ['POST', '/sign-out'],
    ['PUT', '/username', { username: 'Umayalini2' }],
    ['POST', '/unlock'],
    ['GET', '/data'],
    ['POST', '/disable']
  ] as const) {
    const { statusCode, body: answer } = await root(method, `/users/${id}${path}`, body)
    t.ok(statusCode < 300, `${method} ${path} ${answer}`)
  }
  const browser = new Browser(app)
  await browser.allow(query(), { username: 'umayalini2', password: 'wrong' })
  await browser.get(`/authorize?${query({ response_type: 'x', login_hint: 'umayalini@mail.example' })}`)
  await app.auditTrail.flush()
  await sealTrail(stores)
  const { items: before } = (await root('GET', '/audit?limit=200')).json()
  t.ok(before.length > 8)
  t.equal((await root('DELETE', `/users/${id}`)).statusCode, 204)
  t.same(await tablesNaming(databaseUrl, 'umayalini'), [])
  const { items } = (await root('GET', '/audit/seals')).json()
  t.same(items.map(({ fault }: { fault: string | null }) => fault), [null])
})
