import t from 'tap'
import { startHowToApp } from '../support/how-to-app.js'
import { addPerson, erika, Person } from '../support/person.js'
import { startStack } from '../support/stack.js'
import { visitor } from '../support/visitor.js'

const PAGE = 'docs/how-to/call-the-api-with-passport-oauth2.md'

await t.test(`the site of ${PAGE} gets tokens with PKCE, calls the API and ends the access`, async t => {
  const stack = await startStack(t, ['auth-server', 'customer-service'])
  await addPerson(stack, erika)
  const { origin } = await startHowToApp(t, stack, PAGE)
  const [person, visit] = [new Person(stack), visitor()]
  const { location: authorization } = await visit(`${origin}/login`)
  t.match(Object.fromEntries(new URL(authorization).searchParams), { scope: 'customer:read', code_challenge_method: 'S256', state: /./ })
  const denied = await person.submit(await person.open(authorization), { decision: 'deny' })
  t.match(await visit(denied.headers.get('location')!), { status: 403, text: 'There is no access: The user denied access.' })

  const callback = await person.allow((await visit(`${origin}/login`)).location, erika)
  const mixedUp = callback.replace(/iss=[^&]*/, 'iss=https://other.example')
  t.match(await visit(mixedUp), { status: 400, text: 'The response comes from another server.' })
  t.match(await visitor()(callback), { status: 403, text: 'There is no access: Unable to verify authorization request state.' })
  t.match(await visit(callback), { status: 303, location: '/' })
  t.match((await visit(`${origin}/`)).text, 'Customers on the first page: 0')

  t.match(await visit(`${origin}/logout`, 'POST'), { status: 303, location: '/' })
  t.match((await visit(`${origin}/`)).text, 'Read customers')
  t.same(await stack.stop(), [0, 0])
  t.same(stack.leakCheck.findings(), [])
})
