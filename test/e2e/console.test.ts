import t from 'tap'
import { accessibilityFindings, openPage, skip, startBrowser, WIDE } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

const PHONE = { width: 390, height: 844 }
const root = { username: 'root', password: 'Rosas geheimes Passwort' }

await t.test('an administrator uses the console, in a real Chromium without JavaScript', { skip }, async t => {
  const stack = await startStack(t, ['auth-server'], { ADMIN: 'true' })
  await addPerson(stack, erika)
  stack.leakCheck.secret(root.password)
  await stack.register(['user', 'add', root.username, '--role', 'administrator'], `${root.password}\n`)
  const browser = await startBrowser(t)
  const page = await openPage(t, browser, stack, { viewport: WIDE, javaScriptEnabled: false })
  const home = `${stack.issuer}/admin`

  await t.test('signs in, and invites a user, who is disabled and removed', async t => {
    await page.goto(`${home}/people`)
    await page.getByLabel('User name').fill(root.username)
    await page.getByLabel('Password', { exact: true }).fill(root.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Invite someone' }).click()
    await page.getByLabel('User name').fill('zoe')
    await page.getByLabel('Name', { exact: true }).fill('Zoë <b>')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('It is not shown again.').waitFor()
    stack.leakCheck.secret((await page.locator('pre.secret').textContent())!.split('link=')[1]!)
    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('heading', { level: 1, name: 'Zoë <b>' }).waitFor()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('status').getByText('Disabled.').waitFor()
    await page.getByText('Remove zoe permanently').click()
    await page.getByLabel('Type zoe to confirm').fill('zoe')
    await page.getByRole('button', { name: 'Remove permanently' }).click()
    await page.getByRole('status').getByText('Removed.').waitFor()
    t.equal(await page.getByText('zoe').count(), 0)
  })

  await t.test('moves by keyboard: first to the content, then along the navigation, whose current page is marked', async t => {
    await page.goto(`${home}/apps`)
    await page.keyboard.press('Tab')
    t.equal(await page.locator(':focus').textContent(), 'Skip to content')
    await page.keyboard.press('Enter')
    t.match(page.url(), /#main$/)
    t.equal(await page.locator('nav a[aria-current=page]').textContent(), 'Apps')
  })

  const paths = [
    '', '/people', '/people/invite', '/people/import', '/people?search=unknown-user', '/people?sort=newest', '/apps', '/apps?sort=oldest',
    '/add-app', '/add-app?kind=server', '/add-app?kind=mcp', '/apps/desk?uri=https://x.example', '/apps/desk/edit',
    '/apps/desk/set-up?library=oidc-client-ts', '/roles', '/audit', '/audit?user=unknown-user', '/audit?reference=gone',
    '/keys', '/health', '/implicit', '/apps/desk/implicit?policy=until&date=2099-01-31'
  ]
  await page.goto(`${home}/people`)
  const user = await page.getByRole('link', { name: 'erika' }).getAttribute('href')
  await page.goto(`${home}/audit`)
  const event = await page.locator('.events td a').first().getAttribute('href')
  const checked = await openPage(t, browser, stack, { viewport: WIDE })
  const cookies = await page.context().cookies()
  await checked.context().addCookies(cookies)
  stack.leakCheck.token(cookies.find(({ name }) => name.startsWith('console-'))!.value)
  for (const path of [...paths, ...[user!, event!].map(href => href.replace('/admin', ''))]) {
    await t.test(`${path || '/'} is accessible in light and dark, has one main heading, and fits a phone`, async t => {
      await checked.goto(home + path)
      t.equal(await checked.getByRole('heading', { level: 1 }).count(), 1)
      for (const size of [WIDE, PHONE]) {
        await checked.setViewportSize(size)
        t.same(await accessibilityFindings(checked), [], `${size.width}`)
        t.ok(await checked.evaluate(() => document.documentElement.scrollWidth) <= size.width, `${size.width} pixels are enough`)
      }
    })
  }

  await t.test('signs chosen people out, and sees for whom it was done', async t => {
    await checked.setViewportSize(PHONE)
    await checked.goto(`${home}/people`)
    await checked.getByLabel('Select erika').check()
    await checked.getByRole('button', { name: 'Sign out everywhere' }).click()
    await checked.getByRole('status').getByText('Done for 1 of 1.').waitFor()
    t.same(await accessibilityFindings(checked), [])
    t.ok(await checked.evaluate(() => document.documentElement.scrollWidth) <= PHONE.width)
  })

  await t.test('reviews the changes of an app, goes back, and saves them', async t => {
    await page.goto(`${home}/apps/desk/edit`)
    await page.getByLabel('Name', { exact: true }).fill('My <app>')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Back' }).click()
    t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'My <app>')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('insertion').getByText('My <app>').waitFor()
    await checked.goto(`${home}/apps/desk/edit`)
    await checked.getByLabel('Name', { exact: true }).fill('Another')
    await checked.getByRole('button', { name: 'Review changes' }).click()
    for (const size of [WIDE, PHONE]) {
      await checked.setViewportSize(size)
      t.same(await accessibilityFindings(checked), [], `${size.width}`)
      t.ok(await checked.evaluate(() => document.documentElement.scrollWidth) <= size.width, `${size.width} pixels are enough`)
    }
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'My <app>' }).waitFor()
  })

  await t.test('uploads a logo, which the page of the app shows', async t => {
    const logo = await page.screenshot({ clip: { x: 0, y: 0, width: 40, height: 20 } })
    await page.goto(`${home}/apps/desk/edit`)
    await page.getByLabel('PNG/WebP').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
    await page.getByRole('button', { name: 'Upload logo' }).click()
    await page.getByRole('status').getByText('Saved.').waitFor()
    await page.goto(`${home}/apps/desk`)
    t.equal(await page.locator('main img.app-logo').evaluate(image => image.getBoundingClientRect().width > 0), true)
  })

  await t.test('ends the implicit grant by a date, after a preview', async t => {
    await page.goto(`${home}/implicit`)
    await page.getByRole('link', { name: 'Move this app' }).first().click()
    await page.getByLabel('Ends on a date').check()
    await page.getByLabel('End date', { exact: true }).fill('2099-01-31')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Until 31 Jan 2099').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved.').waitFor()
    t.match(await page.locator('.here').first().textContent(), 'until 2099-01-31')
  })

  await t.test('signs out', async t => {
    await page.goto(home)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You\'re signed out').waitFor()
    await page.goto(home)
    await t.resolves(page.getByLabel('Password', { exact: true }).waitFor())
  })

  await endStack(t, stack)
})
