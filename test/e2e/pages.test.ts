import type { Page } from 'playwright-core'
import t from 'tap'
import { allow, allowButton, check, fits, openPage, signIn, skip, startBrowser, WIDE } from '../support/browser.js'
import { addPerson, authorizationUrl, erika } from '../support/person.js'
import { startSite } from '../support/fake-site.js'
import { endStack, startStack } from '../support/stack.js'

await t.test('the pages, in a real Chromium', { skip }, async t => {
  const stack = await startStack(t)
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  const url = authorizationUrl(stack)
  const long = 'without-a-space-'.repeat(20)
  const framer = await startSite(t, (request, response) => {
    const framed = new URL(request.url!, stack.issuer).searchParams.get('framed')
    response.setHeader('content-type', 'text/html').end(`<iframe src="${framed?.replaceAll('&', '&amp;')}"></iframe>`)
  })
  const around = (framed: string) => `${framer}?${new URLSearchParams({ framed })}`
  const ownCallback = `${stack.address('desk')}/own`
  await stack.register(['client', 'add', 'own-app', '--name', 'An app', '--callback', ownCallback, '--grant', 'implicit', '--own'])

  /** The pages of auth-server without a session, and how to reach them. */
  const strangers: Record<string, (page: Page) => Promise<unknown>> = {
    'consent page': page => page.goto(url),
    'consent page with scopes that are unknown': page => page.goto(authorizationUrl(stack, { scope: `customer:read openid ${long}` })),
    'sign-in page of an app of the installation': page => page.goto(authorizationUrl(stack, { client_id: 'own-app', redirect_uri: ownCallback })),
    'consent page without a known scope': page => page.goto(authorizationUrl(stack, { scope: 'openid' })),
    'consent page after a wrong password': async page => {
      await page.goto(url)
      await allow(page, { username: long.slice(0, 200), password: 'wrong' })
      await page.getByRole('alert').waitFor()
    },
    'consent page after too many wrong passwords': async page => {
      await page.goto(url)
      for (let attempt = 0; attempt < 6; attempt++) await allow(page, { username: 'nobody', password: 'wrong' })
      await page.getByText('Too many attempts.').waitFor()
    },
    'page of an app that is not registered': page => page.goto(authorizationUrl(stack, { client_id: 'unknown' })),
    'page of a callback that is not registered': page => page.goto(
      authorizationUrl(stack, { redirect_uri: `https://other.example/${long}` })
    ),
    'page of a damaged address': page => page.goto(`${url}&scope=%ZZ`),
    'page of an address that is too long': page => page.goto(`${url}&state=${'x'.repeat(9000)}`),
    'page of a form without a session': async page => {
      await page.goto(url)
      await page.locator('[name=transaction]').evaluate(field => field.setAttribute('value', 'made up'))
      await allow(page)
      await page.getByRole('link', { name: 'Start again' }).waitFor()
    },
    'page of a form without a decision': async page => {
      await page.goto(url)
      await allowButton(page).evaluate(button => button.removeAttribute('name'))
      await allow(page)
      await page.getByText('The form is incomplete.').waitFor()
    },
    'page of an address that does not exist': page => page.goto(`${stack.issuer}/nothing`),
    'page of a request without parameters': page => page.goto(`${stack.issuer}/consent`),
    'list of errors': page => page.goto(`${stack.issuer}/problems`),
    'page that explains an error': page => page.goto(`${stack.issuer}/problems/invalid-callback`),
    'article about leaving the implicit grant': page => page.goto(`${stack.issuer}/leave-implicit`),
    'sign-in page of the account': page => page.goto(`${stack.issuer}/account`),
    'page of an address that does not exist at the customer service': page => page.goto(`${stack.address('customer-service')}/nothing`),
    'page of an address that does not exist at the desk': page => page.goto(`${stack.address('desk')}/nothing`),
    'signed-out page': page => page.goto(`${stack.issuer}/sign-out`)
  }
  // All in one page, since each new one takes a process: without its cookies it is a stranger's again.
  const stranger = await openPage(t, browser, stack, { viewport: WIDE })
  for (const [name, open] of Object.entries(strangers)) {
    await t.test(`the ${name} is accessible in light and dark and fits 320 pixels`, async t => {
      await stranger.context().clearCookies()
      await open(stranger)
      await check(t, stranger)
    })
  }

  await t.test('the pages with a session are accessible in light and dark and fit 320 pixels', async t => {
    const page = await openPage(t, browser, stack, { viewport: WIDE })
    await page.goto(url)
    await allow(page)
    await page.waitForURL(({ origin }) => origin === stack.address('desk'))

    await page.goto(url)
    await check(t, page, 'consent page')
    const form = { transaction: await page.locator('[name=transaction]').inputValue(), decision: 'allow' }
    await page.request.post(page.url(), { form, maxRedirects: 0 })
    await allowButton(page).click()
    await page.getByText('This page has already been used.').waitFor()
    await check(t, page, 'page of a form that is spent')
    await page.goto(`${stack.issuer}/sign-out`)
    await check(t, page, 'sign-out page')
  })

  await t.test('what was allowed before takes no page, but never in a frame; what is new is asked for on a page that is accessible and fits 320 pixels', async t => {
    const callback = `${stack.address('desk')}/server`
    await stack.register([
      'client', 'add', 'server-app', '--name', 'Server app', '--callback', callback, '--grant', 'authorization_code',
      '--confidential'
    ])
    const code = {
      response_type: 'code',
      client_id: 'server-app',
      redirect_uri: callback,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256'
    }
    const ask = (scope: string) => authorizationUrl(stack, { ...code, scope })
    const page = await openPage(t, browser, stack, { viewport: WIDE })
    await page.goto(ask('customer:read'))
    await allow(page)
    await page.waitForURL(/\/server\?code=/)
    const first = page.url()
    await page.goto(ask('customer:read'))
    t.match(page.url(), /\/server\?code=/)
    t.not(page.url(), first)
    const asked = page.waitForRequest(request => request.url().includes('/consent?'))
    await page.goto(around(ask('customer:read')))
    t.match(await (await asked).headerValue('cookie'), 'session', 'the person is signed in, also in a frame of this site')
    t.same(page.frames().filter(frame => frame.url().startsWith(callback)), [])
    await page.goto(ask('customer:read customer:write'))
    await page.getByText('You already allowed it to').waitFor()
    await check(t, page, 'consent page with what is new')
  })

  await t.test('the desk is accessible in light and dark and fits 320 pixels in each of its states', async t => {
    const page = await openPage(t, browser, stack, { viewport: WIDE })
    await page.goto(stack.address('desk'))
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await check(t, page, 'signed out')
    await page.goto(`${stack.callback}#error=access_denied`)
    await page.getByRole('alert').waitFor()
    await check(t, page, 'an unsolicited answer')
    await signIn(page, stack)
    await check(t, page, 'signed in')
    const add = async (...values: string[]) => {
      await page.locator('#new').click()
      for (const [index, label] of ['Number', 'Name', 'Age', 'Address'].entries()) await page.getByLabel(label, { exact: true }).fill(values[index]!)
      await page.getByRole('button', { name: 'Add customer' }).click()
    }
    await add('0', 'x', 'y', 'z')
    await page.locator('[aria-invalid]').first().waitFor()
    await check(t, page, 'fields that are refused')
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Discard' }).click()
    for (const number of ['1', '2']) {
      await add(number, long.slice(0, 100), `3${number}`, long.slice(Number(number), 200))
      await page.locator(`tr[data-id="${number}"]`).waitFor()
    }
    await check(t, page, 'a table with a message')
    await page.locator('#person').click()
    await page.getByRole('menuitemcheckbox', { name: 'Developer view' }).click()
    await page.locator('#lookup-customerid').fill('1')
    await page.getByRole('button', { name: 'Look up the name' }).click()
    await page.locator('output').waitFor()
    await page.locator('.exchanges summary').first().click()
    await page.locator('#move-customername').fill(long.slice(0, 100))
    await page.locator('#move-customeraddress').fill('elsewhere')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.locator('.candidates').waitFor()
    await check(t, page, 'the developer view with candidates')
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.locator('tr[data-id="1"] .open').click()
    await page.getByRole('dialog').waitFor()
    await check(t, page, 'a customer')
    await page.getByRole('button', { name: 'Remove…' }).last().click()
    await page.getByRole('heading', { name: /^Remove/ }).waitFor()
    await check(t, page, 'the question before removing')
  })

  await t.test('the pages of every kind of problem are accessible in light and dark and fit 320 pixels', async t => {
    const page = await openPage(t, browser, stack, { viewport: WIDE })
    await page.goto(`${stack.address('customer-service')}/problems`)
    await check(t, page, 'all problems')
    const links = await page.locator('a[href*="/problems/"]').evaluateAll(links => links.map(link => link.getAttribute('href')!))
    t.ok(links.length > 5)
    // What axe-core looks at: pages that differ in their words alone are one to it.
    const seen = new Set<string>()
    const structure = () => [...document.querySelectorAll('*')].map(({ tagName, className }) => `${tagName} ${className}`).join()
    for (const link of links) {
      t.equal((await page.goto(new URL(link, page.url()).href))?.status(), 200, link)
      const structured = await page.evaluate(structure)
      await (seen.has(structured) ? fits : check)(t, page, link)
      seen.add(structured)
    }
    t.ok(seen.size < links.length)
  })

  await t.test('no page of auth-server can be framed by another site', async t => {
    const page = await openPage(t, browser, stack)
    const textOfFrame = async (framed: string) => {
      await page.goto(around(framed))
      return await page.frames()[1]!.locator('body').innerText()
    }
    t.match(await textOfFrame(`${stack.issuer}/.well-known/jwks.json`), /"keys"/, 'what may be framed is seen')
    for (const address of [url, `${stack.issuer}/sign-out`, authorizationUrl(stack, { client_id: 'unknown' })]) {
      t.notMatch(await textOfFrame(address), /Password|signed out|registered/i, address)
    }
  })

  await endStack(t, stack)
})
