import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { skip, startApacheSite, startAuthlibSite } from '../support/how-to-site.js'
import { addPerson, erika, Person } from '../support/person.js'
import { startStack } from '../support/stack.js'
import { visitor } from '../support/visitor.js'

const AUTHLIB = 'docs/how-to/sign-in-with-authlib.md'
const APACHE = 'docs/how-to/sign-in-with-apache.md'

const stack = await startStack(t, ['auth-server'])
await addPerson(stack, erika)
await stack.register(['user', 'update', erika.username, '--name', 'Érika <Example>'])

await t.test(`the site of ${AUTHLIB} signs in, greets and signs out`, { skip: skip.authlib }, async t => {
  const origin = await startAuthlibSite(t, stack, AUTHLIB)
  const [person, visit] = [new Person(stack), visitor()]
  const { location: authorization } = await visit(`${origin}/login`)
  t.match(Object.fromEntries(new URL(authorization).searchParams), { scope: 'openid profile', code_challenge_method: 'S256', state: /./, nonce: /./ })
  const denied = await person.submit(await person.open(authorization), { decision: 'deny' })
  t.match(await visit(denied.headers.get('location')!), { status: 403, text: 'You are not signed in: The user denied access.' })

  const callback = await person.allow((await visit(`${origin}/login`)).location, erika)
  const mixedUp = callback.replace(/iss=[^&]*/, 'iss=https://other.example')
  t.match(await visit(mixedUp), { status: 400, text: 'The response comes from another server.' })
  t.match(await visitor()(callback), { status: 403, text: 'CSRF Warning!' })
  t.match(await visit(callback), { status: 302, location: '/' })
  t.match((await visit(`${origin}/`)).text, 'Hello, Érika &lt;Example&gt;')

  const { location: end } = await visit(`${origin}/logout`, 'POST')
  t.equal((await person.request(end)).headers.get('location'), `${origin}/`)
  t.match((await visit(`${origin}/`)).text, 'Please sign in')
  t.match((await person.open((await visit(`${origin}/login`)).location)).html, 'name="password"')
})

await t.test(`the site of ${APACHE} signs in, greets, signs out, and follows back-channel logout`, { skip: skip.apache }, async t => {
  const origin = await startApacheSite(t, stack, APACHE)
  const [person, visit] = [new Person(stack), visitor()]
  const members = async () => await visit(`${origin}/members/`)
  t.match((await visit(`${origin}/`)).text, 'Welcome')
  const { location: authorization } = await members()
  t.match(Object.fromEntries(new URL(authorization).searchParams), { scope: 'openid profile', code_challenge_method: 'S256', state: /./, nonce: /./ })
  const callback = await person.allow(authorization, erika)
  t.notSame((await visitor()(callback)).status, 302, 'another browser cannot use the response')
  t.match(await visit(callback), { status: 302, location: `${origin}/members/` })
  const { text: greeting } = await members()
  t.match(greeting, `Hello, ${erika.username}`)

  const { location: end } = await visit(`${origin}${/href="([^"]*)"/.exec(greeting)![1]!}`)
  t.equal((await person.request(end)).headers.get('location'), `${origin}/`)
  const { location: next } = await members()
  t.match((await person.open(next)).html, 'name="password"')
  await visit((await person.allow(next, erika)).replace(/iss=[^&]*/, 'iss=https://other.example'))
  t.equal((await members()).status, 302, 'a response of another server does not sign in')

  const elsewhere = new Person(stack)
  await visit(await elsewhere.allow((await members()).location, erika))
  t.equal((await members()).status, 200)
  await stack.register(['user', 'disable', erika.username])
  const deadline = Date.now() + 60_000
  while ((await members()).status === 200 && Date.now() < deadline) await setTimeout(50)
  t.equal((await members()).status, 302, 'the logout token ended the session')
})

await t.test('auth-server ends cleanly, and wrote no token, password or cookie', async t => {
  t.same(await stack.stop(), [0])
  t.same(stack.leakCheck.findings(), [])
})
