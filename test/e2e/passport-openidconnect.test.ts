import t from 'tap'
import { allow, skip, startBrowser } from '../support/browser.js'
import { startHowToApp } from '../support/how-to-app.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

const PAGE = 'docs/how-to/sign-in-with-passport.md'

await t.test(`the site of ${PAGE} signs in without PKCE, greets and signs out`, { skip }, async t => {
  const stack = await startStack(t, ['auth-server'])
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
  t.match(Object.fromEntries(new URL((await authorization).url()).searchParams), { scope: 'openid profile email', state: /./, nonce: /./ })
  await page.click('button[value=deny]')
  await page.getByText('You are not signed in: The user denied access.').waitFor()
  await signIn()
  const returned = page.waitForRequest(request => request.url().startsWith(`${app.origin}/callback`))
  await allow(page)
  const greeting = page.getByRole('heading', { name: 'Hello, Erika <Example>' })
  await greeting.waitFor()
  const callback = (await returned).url()
  const [elsewhere, mixedUp] = await Promise.all([fetch(callback), fetch(callback.replace(/iss=[^&]*/, 'iss=https://other.example'))])
  t.equal(await elsewhere.text(), 'You are not signed in: Unable to verify authorization request state.')
  t.equal(await mixedUp.text(), 'The response comes from another server.')

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
  t.equal(page.url(), `${app.origin}/`)
  await signIn()
  await page.locator('[name=password]').waitFor()
  t.same(await stack.stop(), [0])
  t.same(stack.leakCheck.findings(), [])
})
