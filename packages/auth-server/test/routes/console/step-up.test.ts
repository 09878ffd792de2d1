import t from 'tap'
import { signInWith } from '../../support/admin/admin.js'
import { buildConsole } from '../../support/admin/console.js'
import { formTokenOf } from '../../support/helper.js'

t.test('with ADMIN_ACR, a sensitive action leads to a sign-in of that level, and back to the form', async t => {
  const built = await buildConsole(t, { ADMIN_ACR: 'urn:frontdesk:acr:mfa' })
  const [id] = [await built.add('bob'), await built.add('root', 'administrator')]
  const root = built.as('root')
  const form = { transaction: formTokenOf(await root.open(`/people/${id}`)), name: 'Bob', shown_name: '' }
  const submit = async (transaction = form.transaction) => await root.post(`/admin/people/${id}/details`, { ...form, transaction })
  const asked = await submit()
  t.match(asked.headers.location, /\/authorize\?.*max_age=600/)
  t.equal(new URL(asked.headers.location!).searchParams.get('acr_values'), 'urn:frontdesk:acr:mfa phr')

  const weak = await root.follow(asked)
  t.equal(weak.statusCode, 403)
  t.match(weak.body, 'This needs two-step sign-in')
  t.match(weak.body, 'href="https://id.example/account"')
  t.equal((await root.open('/people')).statusCode, 200, 'the rest of the console goes on')
  t.equal((await built.stores.profiles.find(id))?.name, null)

  signInWith(built, 'pwd otp mfa')
  const page = await root.follow(await submit())
  t.match(page.body, 'You&#39;ve signed in again.')
  t.equal((await submit(formTokenOf(page))).headers.location, `/admin/people/${id}`)
  t.equal((await built.stores.profiles.find(id))?.name, 'Bob')
})

t.test('what is not sensitive needs no second factor', async t => {
  const { add, as } = await buildConsole(t, { ADMIN_ACR: 'phr' })
  const [id] = [await add('bob'), await add('root', 'administrator')]
  const root = as('root')
  t.equal((await root.send(`/people/${id}/disable`, {}, `/people/${id}`)).headers.location, `/admin/people/${id}`)
})

t.test('with ADMIN_ACR=phr, the page names a passkey', async t => {
  const built = await buildConsole(t, { ADMIN_ACR: 'phr' })
  const [id] = [await built.add('bob'), await built.add('root', 'administrator')]
  const root = built.as('root')
  signInWith(built, 'pwd otp mfa')
  t.match((await root.follow(await root.send(`/people/${id}/remove`, {}, `/people/${id}`))).body, 'Set up a passkey, then')
})
