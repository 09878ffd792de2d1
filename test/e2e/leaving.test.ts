import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import { allow, openPage, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

/** Where every app of this test leads to in the end: a native app, which no browser here can open. */
const NATIVE = 'com.example.app:/done'

/** A site on loopback. @returns its port */
async function site (t: Test, answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0)
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  return (server.address() as AddressInfo).port // as: it listens on a port.
}

// Chromium checks the form-action of a page for every redirect that follows the form (w3c/webappsec-csp#8).
await t.test('every form that leads to an app leads on to wherever the app redirects, in a real Chromium', { skip }, async t => {
  const stack = await startStack(t, ['auth-server'], { REGISTRATION: 'open' })
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  const last = `http://localhost:${await site(t, (request, response) => response.writeHead(302, { location: NATIVE }).end())}/welcome`
  const app = `http://127.0.0.1:${await site(t, (request, response) => response.writeHead(302, { location: last }).end())}`
  const callback = `${app}/cb`
  const add = async (id: string, callback: string, ...more: string[]) =>
    await stack.register(['client', 'add', id, '--name', 'An app', '--callback', callback, '--grant', 'authorization_code', ...more])
  await add('app', callback, '--grant', 'implicit', '--post-logout-redirect-uri', `${app}/bye`)
  const native = 'com.example.app:/cb'
  await add('native', native)
  const registered = await fetch(`${stack.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'An unknown app', redirect_uris: [callback], token_endpoint_auth_method: 'none' })
  })
  const { client_id: unknown } = await registered.json() as { client_id: string }
  const request = (changes: Record<string, string> = {}) => `${stack.issuer}/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: changes.client_id === 'native' ? native : callback,
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    ...changes
  })}`
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click({ noWaitAfter: true })
  const signOut = async (page: Page) => {
    await page.goto(request({ client_id: 'native' }))
    await allow(page)
    await page.goto(`${stack.issuer}/end-session?client_id=app&post_logout_redirect_uri=${app}/bye`)
    await press(page, 'Sign out')
  }

  const forms: Array<[name: string, use: (page: Page) => Promise<void>, seen: readonly string[], javaScriptEnabled?: boolean]> = [
    ['Allow, a code', async page => { await page.goto(request()); await allow(page) }, [`${callback}?code=`, last, NATIVE]],
    ['Allow, a token', async page => {
      await page.goto(request({ response_type: 'id_token token', nonce: 'n' }))
      await allow(page)
    }, [callback, last, NATIVE]],
    ['Deny', async page => { await page.goto(request()); await press(page, 'Deny') }, [`${callback}?error=`, last, NATIVE]],
    ['Allow after a wrong password', async page => {
      await page.goto(request())
      await allow(page, { ...erika, password: 'wrong' })
      await page.getByRole('alert').waitFor()
      await allow(page)
    }, [`${callback}?code=`, last, NATIVE]],
    ['Allow, for a native app', async page => {
      await page.goto(request({ client_id: 'native' }))
      await allow(page)
    }, [`${native}?code=`]],
    ['the form of response_mode form_post', async page => {
      await page.goto(request({ response_mode: 'form_post' }))
      await allow(page)
    }, [callback, last, NATIVE]],
    ['the same without a script', async page => {
      await page.goto(request({ response_mode: 'form_post' }))
      await allow(page)
      await press(page, 'Continue')
    }, [callback, last, NATIVE], false],
    ['the form of an error for an app that registered itself', async page => {
      await page.goto(request({ client_id: unknown, response_mode: 'form_post', prompt: 'none' }))
      await press(page, 'Continue')
    }, [callback, last, NATIVE]],
    ['Sign out, with an address of the app', signOut, [`${app}/bye`, last, NATIVE]]
  ]
  for (const [name, use, seen, javaScriptEnabled = true] of forms) {
    await t.test(name, async t => {
      const page = await openPage(t, browser, stack, { javaScriptEnabled })
      const requests: string[] = []
      page.on('request', request => { requests.push(request.url()) })
      const refused: string[] = []
      page.on('console', message => { if (message.text().includes('Content Security Policy')) refused.push(message.text()) })
      await Promise.all([page.waitForRequest(request => request.url().startsWith(seen.at(-1)!)), use(page)])
      for (const place of seen) t.ok(requests.some(it => it.startsWith(place)), place)
      t.same(refused, [])
    })
  }
  await endStack(t, stack)
})
