import Database from 'better-sqlite3'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { allow, allowButton, openPage, pressSignIn, signIn, skip, startBrowser } from '../support/browser.js'
import { addPerson, authorizationUrl, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

const IMPLICIT = 'implicit'

await t.test('the implicit grant in a real Chromium', { skip }, async t => {
  const stack = await startStack(t)
  const browser = await startBrowser(t)
  const app = stack.address('desk')
  await addPerson(stack, erika)

  await t.test('the token arrives at the app, which cleans the address bar before it does anything else', async t => {
    const page = await openPage(t, browser, stack)
    const addresses: string[] = []
    await page.route(/\/rest\/qa\/customer\?/, async route => {
      addresses.push(page.url())
      await route.continue()
    })
    await signIn(page, stack, IMPLICIT)
    await page.getByText('No customers yet').waitFor()
    t.match(addresses, [`${app}/`], 'the address was clean when the app sent its first request')
    t.equal(page.url(), `${app}/`)
    await t.resolves(page.locator('#time-left').waitFor(), 'the app shows how long the token lasts')
    t.same(await page.locator('#scopes li').allTextContents(), ['customer:read', 'customer:write', 'customer:delete'])
    t.notMatch(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])), /eyJ/)
  })

  await t.test('Allow reaches a callback on another site than the consent page', async t => {
    const callback = `${app.replace('localhost', '127.0.0.1')}/callback`
    await stack.register(['client', 'add', 'elsewhere', '--name', 'An app elsewhere', '--callback', callback, '--grant', 'implicit'])
    const page = await openPage(t, browser, stack, { javaScriptEnabled: false })
    await page.goto(authorizationUrl(stack, { client_id: 'elsewhere', redirect_uri: callback, scope: 'customer:read' }))
    await allow(page)
    await page.waitForURL(`${callback}#access_token=**`)
    t.match(await page.title(), 'Customer desk')
  })

  await t.test('Deny arrives as access_denied, and the app says so', async t => {
    const page = await openPage(t, browser, stack)
    const answers: string[] = []
    page.on('response', response => { answers.push(response.headers().location ?? '') })
    await pressSignIn(page, stack, IMPLICIT)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('alert').getByText('You denied this app access').waitFor()
    t.match(answers.find(it => it.startsWith(stack.callback)), /#error=access_denied&/)
    await t.resolves(page.getByRole('button', { name: 'Sign in' }).waitFor())
  })

  await t.test('a double click on Allow is one answer, without JavaScript too', async t => {
    for (const pause of [0, 200]) {
      const page = await openPage(t, browser, stack, { javaScriptEnabled: false })
      let posts = 0
      // An answer on its way for as long as the two clicks take.
      await page.route('**/consent?*', async route => {
        if (route.request().method() === 'POST' && ++posts > 0) await setTimeout(400)
        await route.continue()
      })
      await page.goto(authorizationUrl(stack))
      await page.getByLabel('User name').fill(erika.username)
      await page.getByLabel('Password', { exact: true }).fill(erika.password)
      const { x, y, width, height } = (await allowButton(page).boundingBox())!
      await page.mouse.move(x + width / 2, y + height / 2)
      for (let click = 0; click < 2; click++) {
        await page.mouse.down({ clickCount: click + 1 })
        await page.mouse.up({ clickCount: click + 1 })
        await setTimeout(pause)
      }
      await page.waitForURL(`${stack.callback}#access_token=**`)
      t.equal(posts, 1, `${pause} ms apart`)
    }
  })

  await t.test('a wrong password is shown and announced to screen readers, and the right one continues', async t => {
    const page = await openPage(t, browser, stack)
    const wrong = 'Not what it should be'
    stack.leakCheck.secret(wrong)
    await page.goto(authorizationUrl(stack))
    await allow(page, { ...erika, password: wrong })
    const alert = page.getByRole('alert')
    t.match(await alert.textContent(), /Wrong user name or password\./)
    t.match(await page.title(), /^Error: /)
    t.equal(await page.evaluate(() => document.activeElement?.id), 'password', 'the person types it again, and a screen reader reads the alert with the field')
    t.equal(await page.getByLabel('Password', { exact: true }).getAttribute('aria-describedby'), await alert.getAttribute('id'))
    t.equal(await page.getByLabel('User name').inputValue(), erika.username)
    t.equal(await page.getByLabel('Password', { exact: true }).inputValue(), '')
    await allow(page)
    await page.waitForURL(url => url.origin === app)
  })

  await t.test('who is signed in is asked for no password, and "Not you?" asks again', async t => {
    const page = await openPage(t, browser, stack)
    await signIn(page, stack, IMPLICIT)
    await page.goto(authorizationUrl(stack))
    await t.resolves(page.getByText('You\'re signed in as erika.').waitFor())
    t.equal(await page.getByLabel('Password', { exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Not you?' }).click()
    t.equal(await page.getByLabel('User name').inputValue(), '')
    await allow(page, { username: 'demo', password: 'demo' })
    await page.waitForURL(url => url.origin === app)
    await page.goto(authorizationUrl(stack))
    await t.resolves(page.getByText('You\'re signed in as demo.').waitFor())
    await allowButton(page).click()
    await page.waitForURL(url => url.origin === app)
  })

  await t.test('going back and forth after success, and sending the form again, gives no second token', async t => {
    const page = await openPage(t, browser, stack)
    const posted = page.waitForRequest(request => request.method() === 'POST')
    await signIn(page, stack, IMPLICIT)
    const before = countGrants(stack.database('auth-server'))
    await page.goBack()
    t.match(page.url(), `${stack.issuer}/consent?`)
    await page.goForward()
    await page.goBack()
    await page.reload()
    const form = await posted
    const again = await page.request.post(form.url(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' }, data: form.postData()!, maxRedirects: 0
    })
    t.equal(again.status(), 400)
    t.match(await again.text(), /This page has already been used\./)
    t.equal(countGrants(stack.database('auth-server')), before)
  })

  await t.test('a popup signs in for the page that opened it', async t => {
    const page = await openPage(t, browser, stack)
    const opened = page.waitForEvent('popup')
    await pressSignIn(page, stack, IMPLICIT, { popup: true })
    const popup = await opened
    const closed = popup.waitForEvent('close')
    await allow(popup)
    await closed
    await t.resolves(page.locator('#person').waitFor())
    t.equal(page.url(), `${app}/`)
  })

  await t.test('when the token has ended, the app forgets it and says so', async t => {
    const page = await openPage(t, browser, stack)
    await page.clock.install()
    await signIn(page, stack, IMPLICIT)
    await page.clock.fastForward('08:50')
    t.equal(await page.locator('.banner').count(), 0)
    await page.clock.fastForward('00:30')
    await page.getByRole('alert').getByText('Your session expires soon.').waitFor()
    t.match(await page.locator('#time-left').textContent(), /^0:[345]\d$/)
    await page.clock.fastForward('01:00')
    await page.getByRole('alert').getByText('Your session expired. Sign in again').waitFor()
    await t.resolves(page.getByRole('button', { name: 'Sign in' }).waitFor())
  })

  await t.test('the consent page works with JavaScript off', async t => {
    const page = await openPage(t, browser, stack, { javaScriptEnabled: false })
    await page.goto(authorizationUrl(stack, { state: 'no script' }))
    await allow(page)
    await page.waitForURL(url => url.origin === app)
    const answer = new URLSearchParams(new URL(page.url()).hash.slice(1))
    t.ok(answer.get('access_token'))
    t.equal(answer.get('state'), 'no script')
  })

  await t.test('after signing out the password is asked for again', async t => {
    const page = await openPage(t, browser, stack)
    await signIn(page, stack, IMPLICIT)
    await page.goto(`${stack.issuer}/sign-out`)
    await t.resolves(page.getByText('You\'re signed in as erika.').waitFor())
    await page.getByRole('button', { name: 'Sign out' }).click()
    await t.resolves(page.getByRole('heading', { name: 'You\'re signed out' }).waitFor())
    await page.goto(authorizationUrl(stack))
    await t.resolves(page.getByLabel('Password', { exact: true }).waitFor())
  })

  await t.test('when the implicit grant has ended for the app, it says what to choose', async t => {
    await stack.register(['client', 'implicit', 'desk', 'off'])
    const ended = async () =>
      (await fetch(authorizationUrl(stack), { redirect: 'manual' })).headers.get('location')!.startsWith(stack.callback)
    while (!await ended()) await setTimeout(100)
    const page = await openPage(t, browser, stack)
    await pressSignIn(page, stack, IMPLICIT)
    await page.getByRole('alert').getByText('Choose the other one, or contact its operator.').waitFor()
    await t.resolves(page.getByRole('button', { name: 'Sign in', exact: true }).waitFor())
  })

  await endStack(t, stack)
})

function countGrants (file: string): number {
  const database = new Database(file, { readonly: true })
  try {
    // as: the column that is asked for.
    return (database.prepare('SELECT count(*) AS n FROM access_grant').get() as { n: number }).n
  } finally {
    database.close()
  }
}
