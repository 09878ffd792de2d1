import t from 'tap'
import { openAdmin } from '../../support/admin/clients.js'

export const onBothDatabases = true

t.test('a role is added, replaced, edited and removed, with what everyone can grant then', async t => {
  const { root, stores } = await openAdmin(t)
  t.same((await root('POST', '/roles', { name: 'clerk', scopes: 'a b' })).json(), { name: 'clerk', scopes: ['a', 'b'], requiredAcr: null })
  t.same((await root('PATCH', '/roles/clerk', { scopes: 'b c' })).json(), { name: 'clerk', scopes: ['b', 'c'], requiredAcr: null, free: ['a'] })
  t.match((await root('PATCH', '/roles/clerk', { addScopes: ['d'], removeScopes: ['b'] })).json(), { scopes: ['c', 'd'], free: ['b'] })
  for (const [path, body, status, field] of [
    ['clerk', { scopes: 'a', addScopes: ['b'] }, 400, 'scopes'],
    ['clerk', { removeScopes: ['c', 'd'] }, 400, 'scopes'],
    ['clerk', { addScopes: ['admin:read'] }, 400, 'scopes'],
    ['clerk', { removeScopes: ['x'] }, 404, 'scope'],
    ['clerk', {}, 400, ''],
    ['clrek', { addScopes: ['x'] }, 404, 'role'],
    ['administrator', { addScopes: ['x'] }, 400, 'name']
  ] as const) t.match((await root('PATCH', `/roles/${path}`, body)).json(), { status, errors: [{ field }] }, JSON.stringify(body))
  t.match((await root('PATCH', '/roles/clerk', { scopes: 'a' }, { 'if-match': '"x"' })).json(), { status: 400, errors: [{ field: 'If-Match' }] })
  t.match(await stores.roles.list(), [{ name: 'clerk', scopes: ['c', 'd'] }])
  t.match((await root('DELETE', '/roles/clerk')).json(), { name: 'clerk', free: ['c', 'd'] })
  t.equal((await root('DELETE', '/roles/auditor')).statusCode, 400)
})

t.test('a role requires a level; null removes it', async t => {
  const { root } = await openAdmin(t)
  t.match((await root('POST', '/roles', { name: 'clerk', scopes: 'a', requiredAcr: 'phr' })).json(), { requiredAcr: 'phr' })
  t.match((await root('PATCH', '/roles/clerk', { addScopes: ['b'] })).json(), { scopes: ['a', 'b'], requiredAcr: 'phr' })
  t.match((await root('PATCH', '/roles/clerk', { requiredAcr: null })).json(), { scopes: ['a', 'b'], requiredAcr: null })
  t.equal((await root('PATCH', '/roles/clerk', { requiredAcr: 'high' })).statusCode, 400)
})

t.test('edits of a role at once are all kept', async t => {
  const { root, stores } = await openAdmin(t)
  await root('POST', '/roles', { name: 'clerk', scopes: 'a' })
  const added = Array.from({ length: 10 }, (_, index) => `scope-${index}`)
  const answers = await Promise.all(added.map(async scope => await root('PATCH', '/roles/clerk', { addScopes: [scope] })))
  t.same(answers.map(({ statusCode }) => statusCode), added.map(() => 200))
  t.match(await stores.roles.list(), [{ scopes: ['a', ...added] }])
})
