import t from 'tap'
import { allow, openPage, skip, startBrowser } from '../support/browser.js'
import { serveSinglePageApp } from '../support/how-to-single-page-app.js'
import { addPerson, erika } from '../support/person.js'
import { freePort, startStack } from '../support/stack.js'

const APPS = [
  {
    page: 'docs/how-to/single-page-app-with-react.md',
    library: 'react-oidc-context',
    language: 'jsx',
    named: 5173,
    element: '<div id="root"></div>'
  },
  {
    page: 'docs/how-to/single-page-app-with-angular.md',
    library: 'angular-oauth2-oidc',
    language: 'ts',
    named: 4200,
    element: '<app-root></app-root>',
    // Its development server compiles templates in advance; here, the browser does.
    before: '@angular/compiler'
  }
] as const

await t.test('single-page apps', { skip }, async t => {
  const ports = [await freePort(), await freePort()] as const
  const CORS_ORIGINS = ports.map(port => `http://localhost:${port}`).join(',')
  const stack = await startStack(t, ['auth-server', 'customer-service'], { CORS_ORIGINS })
  await addPerson(stack, erika)
  await stack.register(['user', 'update', erika.username, '--name', 'Erika <Example>'])
  const browser = await startBrowser(t)

  for (const [index, app] of APPS.entries()) {
    await t.test(`the app of ${app.page} signs in, greets, reads customers and signs out`, async t => {
      const origin = await serveSinglePageApp(t, stack, { ...app, port: ports[index]! })
      const page = await openPage(t, browser, stack)
      const authorization = page.waitForRequest(request => request.url().startsWith(`${stack.issuer}/authorize`))
      const signIn = async () => await page.getByRole('button', { name: 'Sign in' }).click()
      await page.goto(`${origin}/`)
      await signIn()
      t.match(Object.fromEntries(new URL((await authorization).url()).searchParams), {
        scope: 'openid profile customer:read', code_challenge_method: 'S256', state: /./
      })
      await page.click('button[value=deny]')
      await page.getByText('The user denied access.').waitFor()
      t.equal(page.url(), `${origin}/`, 'without the error')
      await signIn()
      const returned = page.waitForRequest(request => request.url().startsWith(`${origin}/?`))
      const exchanged = page.waitForResponse(`${stack.issuer}/token`)
      await allow(page)
      await page.getByRole('heading', { name: 'Hello, Erika <Example>' }).waitFor()
      await page.waitForFunction("document.querySelector('pre').textContent.includes('items')")
      t.equal(page.url(), `${origin}/`, 'without the code')
      // as: RFC 6749 §5.1.
      const { access_token: token } = await (await exchanged).json() as { access_token: string }

      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
      t.equal(page.url(), `${origin}/`)
      const { status } = await fetch(`${stack.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })
      t.equal(status, 401, 'the tokens are revoked')
      await page.goto((await returned).url().replace(/iss=[^&]*/, 'iss=https://other.example'))
      await page.getByText('The response comes from another server.').waitFor()
      t.equal(page.url(), `${origin}/`)
      await signIn()
      await page.locator('[name=password]').waitFor()
    })
  }
  t.same(await stack.stop(), [0, 0])
  t.same(stack.leakCheck.findings(), [])
})
