import t from 'tap'
import { buildConsole } from '../../support/admin/console.js'

t.test('roles are added, changed and removed; built-in ones only shown', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const send = async (path: string, fields: Record<string, string>) => await root.send(path, fields, '/roles')
  t.match((await root.open('/roles')).body, /administrator<\/bdi><\/strong><span class="note">built in.*\n.*Can do everything/)
  t.equal((await send('/roles', { name: 'clerk', scopes: ' customer:read\r\ncustomer:write ' })).statusCode, 303)
  t.match((await root.open('/roles')).body, 'customer:read customer:write')
  t.equal((await send('/roles/change', { role: 'clerk', scopes: 'customer:write' })).statusCode, 303)
  t.same((await stores.roles.list()).map(({ name, scopes }) => [name, ...scopes]), [['clerk', 'customer:write']])
  for (const [path, fields, sentence] of [
    ['/roles', { name: 'clerk', scopes: 'x' }, 'There is a role'],
    ['/roles', { name: 'auditor', scopes: 'x' }, 'is built in'],
    ['/roles', { name: 'boss', scopes: 'admin:write' }, 'belong to the built-in roles'],
    ['/roles/change', { role: 'support', scopes: 'x' }, 'is built in'],
    ['/roles/change', { role: 'none', scopes: 'x' }, 'There is no role'],
    ['/roles/remove', { role: 'administrator' }, 'is built in']
  ] as const) {
    const refused = await send(path, fields)
    t.ok([400, 409].includes(refused.statusCode), path)
    t.match(refused.body, sentence)
  }
  t.equal((await send('/roles/change', { role: 'clerk', scopes: 'customer:write', required_acr: 'phr' })).statusCode, 303)
  t.match((await root.open('/roles')).body, /Minimum sign-in level: Passkey<.*<option value="phr" selected>Passkey</s)
  t.match(await stores.roles.list(), [{ requiredAcr: 'phr' }])
  t.equal((await send('/roles/remove', { role: 'clerk' })).statusCode, 303)
  t.same(await stores.roles.list(), [])
})

t.test('levels are shown in words: of a role, in its form and in the audit trail', async t => {
  const { add, as } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const role = { role: 'clerk', scopes: 'customer:read' }
  await root.send('/roles', { name: 'clerk', scopes: 'customer:read', required_acr: 'urn:frontdesk:acr:mfa' }, '/roles')
  const { body } = await root.open('/roles')
  t.match(body, 'Minimum sign-in level: Second factor')
  for (const [value, words] of [['', 'Password'], ['urn:frontdesk:acr:mfa', 'Second factor'], ['phr', 'Passkey']]) {
    t.equal(body.match(new RegExp(`<option value="${value}"[^>]*>${words}</option>`, 'g'))?.length, 2, `${words}, to add and to change`)
  }
  await root.send('/roles/change', { ...role, required_acr: '' }, '/roles')
  const trail = (await root.open('/audit')).body
  for (const words of ['Second factor', 'Password']) t.match(trail, `requiredAcr: ${words}`)
  t.notMatch(trail, 'urn:frontdesk')
})

t.test('keys are listed, replaced and retired, never the last that signs', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const [first] = await stores.signingKeys.list()
  const page = await root.open('/keys')
  t.match(page.body, first!.kid)
  t.notMatch(page.body, first!.privateJwe)
  t.match((await root.send('/keys/retire', { kid: first!.kid }, '/keys')).body, 'No other key signs yet.')
  t.equal((await root.send('/keys/retire', { kid: 'none' }, '/keys')).statusCode, 400)
  t.equal((await root.send('/keys/rotate', { signs: 'access tokens' }, '/keys')).statusCode, 303)
  t.equal((await stores.signingKeys.list()).length, 2)
  t.match((await root.open('/keys')).body, /Published, not signing yet<\/span><span class="note narrow">Signs from \d/)
  t.match((await root.open('')).body, 'A new key starts signing access tokens on')
})
