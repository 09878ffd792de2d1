import t from 'tap'
import { importUsers } from '../../../src/admin/import-users.js'
import { buildConsole } from '../../support/admin/console.js'
import { CHEAP_HASH } from '../../support/foreign-hashes.js'
import { formTokenOf } from '../../support/helper.js'

const CSV = `username,email,email_verified,password_hash,roles
ann-from-there,ann@example.com,yes,${CHEAP_HASH},administrator
bob,,,$1$md5,
`

t.test('an administrator checks and imports a file, which adds no one twice', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  t.match((await root.open('/people')).body, 'href="/admin/people/import"')
  const upload = async (step: string, content = CSV, more: Record<string, string> = {}) => {
    const form = new FormData()
    form.set('transaction', formTokenOf(await root.open('/people/import')))
    form.set('file', new Blob([content], { type: 'text/csv' }), 'people.csv')
    for (const [name, value] of Object.entries({ format: 'csv', step, ...more })) form.set(name, value)
    return await root.upload('/admin/people/import', form)
  }
  const checked = await upload('check', CSV, { trust: 'yes' })
  t.equal(checked.statusCode, 200)
  t.match(checked.body, '2 users read, 1 can be imported, 1 failed. Nothing has been imported yet.')
  t.match(checked.body, 'line 3 (&quot;bob&quot;): passwordHash: The password hash must be one of: bcrypt')
  t.match(checked.body, 'Not imported: the role &quot;administrator&quot; (1 user).')
  t.match(checked.body, /name="trust" value="yes" checked/, 'options stay')
  t.equal(await stores.users.find('ann-from-there'), null)

  const [, kept = ''] = /name="checked" value="([^"]*)"/.exec(checked.body) ?? []
  const imported = await upload('import', '', { trust: 'yes', checked: kept })
  t.match(imported.body, '2 users read, 1 imported, 1 failed.', 'the checked file, without choosing it again')
  t.notMatch(imported.body, 'name="checked"')
  t.match((await upload('import', CSV, { trust: 'yes' })).body, '2 users read, 0 imported, 1 imported before, 1 failed.')
  const user = await stores.users.find('ann-from-there')
  t.match(user, { passwordHash: CHEAP_HASH })
  t.match(await stores.profiles.findAny('ann-from-there'), { emailVerified: true })
  t.same(await stores.roles.of(user?.id ?? ''), [], 'no built-in role')
  t.match(await stores.audit.list({ event: 'user import' }, 10), [{ details: { users: 1 }, source: /./ }])

  const invited = await upload('import', CSV, { invite: 'yes' })
  t.equal(invited.statusCode, 409)
  t.match(invited.body, 'This server sends no email.')
  t.match((await upload('import', 'username\n<b>x</b>\n', { format: 'keycloak' })).body, 'The file could not be read completely.')
  for (const [content, sentence] of [['', 'Choose a file first.'], ['x'.repeat(1_000_001), 'larger than 1 MB']] as const) {
    const refused = await upload('import', content)
    t.equal(refused.statusCode, 400)
    t.match(refused.body, sentence)
  }
})

t.test('a user with a kept id with characters of URLs has a page that the list links', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const id = 'auth0|https://a.example/../b?c=d#e%2F'
  const person = { username: 'ann-from-there', id, roles: [] }
  const by = { kind: 'shell', name: 'test' } as const
  t.match(await importUsers(stores, [person], { key: 'k', keepIds: true }, by), { added: 1 })
  const [, href = ''] = /href="\/admin(\/people\/auth0[^"]*)"/.exec((await root.open('/people?q=ann-from-there')).body) ?? []
  const page = await root.open(href)
  t.equal(page.statusCode, 200)
  t.match(page.body, 'ann-from-there')
})

t.test('users without the right cannot see the page or import', async t => {
  const { add, as, stores } = await buildConsole(t)
  for (const role of ['support', 'auditor']) {
    await add(role, role)
    t.notMatch((await as(role).open('/people')).body, '/people/import')
    t.equal((await as(role).open('/people/import')).statusCode, 403)
    t.equal((await as(role).send('/people/import', { step: 'import', file: 'data:;base64,dXNlcm5hbWUKeA==' }, '/people')).statusCode, 403)
  }
  t.equal(await stores.users.find('x'), null)
})
