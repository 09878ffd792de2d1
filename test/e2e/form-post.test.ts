import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { allow, openPage, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

await t.test('response_mode form_post in a real Chromium', { skip }, async t => {
  const stack = await startStack(t, ['auth-server'])
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  const forms: URLSearchParams[] = []
  const app = createServer(async (request, response) => {
    if (request.method === 'POST') forms.push(new URLSearchParams(await text(request)))
    response.setHeader('content-type', 'text/html').end('<title>The app</title>')
  }).listen(0, '127.0.0.1')
  await once(app, 'listening')
  t.teardown(() => { app.close(); app.closeAllConnections() })
  // as: it listens on a port.
  const callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/cb`
  await stack.register(['client', 'add', 'poster', '--name', 'An app', '--callback', callback, '--grant', 'authorization_code'])
  const challenge = 'x'.repeat(43)
  const url = `${stack.issuer}/authorize?response_type=code&response_mode=form_post&client_id=poster&state=a%20b&code_challenge=${challenge}&code_challenge_method=S256`

  await t.test('the page posts the code to the app on another site by itself', async t => {
    const page = await openPage(t, browser, stack)
    await page.goto(url)
    await allow(page)
    await page.waitForURL(callback)
    t.equal(await page.title(), 'The app')
    t.match(Object.fromEntries(forms.pop()!), { code: /^[\w-]{43}$/, state: 'a b', iss: stack.issuer })
  })

  await t.test('without JavaScript a button does it', async t => {
    const page = await openPage(t, browser, stack, { javaScriptEnabled: false })
    await page.goto(url)
    await allow(page)
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    t.equal(forms.length, 0)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(callback)
    t.match(Object.fromEntries(forms.pop()!), { code: /^[\w-]{43}$/, state: 'a b' })
  })
  t.same(await stack.stop(), [0])
  t.same(stack.leakCheck.findings(), [])
})
