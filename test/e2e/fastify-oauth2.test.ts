import t from 'tap'
import { allow, skip, startBrowser } from '../support/browser.js'
import { startHowToApp } from '../support/how-to-app.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

const PAGE = 'docs/how-to/sign-in-with-fastify-oauth2.md'

await t.test(`the app of ${PAGE} signs in, greets, reads customers, refreshes and signs out`, { skip }, async t => {
  const stack = await startStack(t, ['auth-server', 'customer-service'])
  await addPerson(stack, erika)
  await stack.register(['user', 'update', erika.username, '--name', 'Erika <Example>'])
  const app = await startHowToApp(t, stack, PAGE)
  // Not openPage: it would report the id_token_hint in the Location of the sign-out, where OpenID Connect has it.
  const page = await (await startBrowser(t)).newPage()

  const authorization = page.waitForRequest(request => request.url().startsWith(`${stack.issuer}/authorize`))
  const signIn = async () => {
    await page.goto(`${app.origin}/`)
    await page.getByRole('link', { name: 'Sign in' }).click()
  }
  await signIn()
  t.match(Object.fromEntries(new URL((await authorization).url()).searchParams), {
    scope: 'openid profile email customer:read', code_challenge_method: 'S256', state: /./
  })
  await page.click('button[value=deny]')
  await page.getByText('You are not signed in: access_denied').waitFor()
  await signIn()
  const exchanged = page.waitForRequest(request => request.url().startsWith(`${app.origin}/callback`))
  await allow(page)
  const greeting = page.getByRole('heading', { name: 'Hello, Erika <Example>' })
  await greeting.waitFor()
  t.match(await page.textContent('pre'), /"items":/)
  const fetched = await fetch((await exchanged).url())
  t.equal(fetched.status, 500, 'another browser cannot use the response')
  t.match(await fetched.text(), 'Invalid state')
  const other = await fetch((await exchanged).url().replace(/iss=[^&]*/, 'iss=https://other.example'))
  t.equal(await other.text(), 'The response comes from another server.')

  await app.setClock({ secondsAhead: 700 })
  // Different addresses: the browser sends those that are alike one after the other.
  await page.evaluate(async () => { await Promise.all([fetch('/?1'), fetch('/?2'), fetch('/?3')]) })
  await page.reload()
  await greeting.waitFor()
  t.match(await page.textContent('pre'), /"items":/)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
  t.equal(page.url(), `${app.origin}/`)
  await signIn()
  await allow(page)
  await greeting.waitFor()
  await stack.register(['user', 'disable', erika.username])
  await app.setClock({ secondsAhead: 1400 })
  await page.reload()
  await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
  t.match(app.log(), '"path":"/callback"')
  t.notMatch(app.log(), /code=|eyJ/)
  t.same(await stack.stop(), [0, 0])
  const statuses = [...stack.leakCheck.log.matchAll(/"path":"\/token","status":(\d+)/g)].map(([, status]) => status)
  t.same(statuses, ['200', '200', '200', '400'], 'sign-in, one refresh for requests at once, second sign-in, refused refresh')
  t.same(stack.leakCheck.findings(), [])
})
