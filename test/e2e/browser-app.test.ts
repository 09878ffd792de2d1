import type { Page } from 'playwright-core'
import t from 'tap'
import { accessibilityFindings, allow, openPage, pressSignIn, signIn, signOut, skip, startBrowser } from '../browser.js'
import { addPerson, erika } from '../person.js'
import { endStack, startStack } from '../stack.js'

await t.test('OpenID Connect in the example app', { skip }, async t => {
  const stack = await startStack(t)
  const browser = await startBrowser(t)
  const app = stack.address('browser-app')
  const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
  await addPerson(stack, erika)

  await t.test('who has no name is greeted by user name; no token stays in the address or in the storage', async t => {
    const page = await openPage(t, browser, stack)
    const asked = page.waitForRequest(`${stack.issuer}/authorize?*`)
    await signIn(page, stack)
    t.match(Object.fromEntries(new URL((await asked).url()).searchParams), {
      response_type: 'code',
      client_id: 'demo-app',
      scope: 'openid profile customer:read customer:write customer:delete',
      code_challenge: /^[\w-]{43}$/,
      code_challenge_method: 'S256',
      state: /^[\w-]{36}$/,
      nonce: /^[\w-]{43}$/
    })
    await page.locator('#greeting').getByText('erika').waitFor()
    t.equal(page.url(), `${app}/`)
    t.equal(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])), '[{},{},""]')
  })

  await stack.register(['user', 'update', erika.username, '--name', 'Erika <b>Müller</b>'])

  await t.test('a person is greeted by name, and signs out of the app and of the authorization server without a question', async t => {
    const page = await openPage(t, browser, stack)
    await signIn(page, stack)
    await page.locator('#greeting').getByText('Erika <b>Müller</b>').waitFor()
    t.same(await accessibilityFindings(page), [])
    const left = page.waitForRequest(`${stack.issuer}/end-session?*`)
    await signOut(page)
    t.match(Object.fromEntries(new URL((await left).url()).searchParams), { id_token_hint: /^eyJ/, post_logout_redirect_uri: `${app}/` })
    await page.getByText(`You are signed out of this app and of ${new URL(stack.issuer).host}.`).waitFor()
    t.equal(page.url(), `${app}/`, 'without the state')
    t.equal(await page.locator('#greeting').count(), 0)
    await page.reload()
    await signInButton(page).waitFor()
    t.equal(await page.getByText('You are signed out').count(), 0, 'it is said once')
    await signInButton(page).click()
    await t.resolves(page.getByLabel('Password').waitFor())
  })

  await t.test('a state that this tab did not send says nothing about a sign-out', async t => {
    const page = await openPage(t, browser, stack)
    await page.goto(`${app}/?state=made-up`)
    await signInButton(page).waitFor()
    t.equal((await page.locator('#message').textContent())?.trim(), '')
  })

  await t.test('a popup signs in for the page that opened it, by name', async t => {
    const page = await openPage(t, browser, stack)
    const opened = page.waitForEvent('popup')
    await pressSignIn(page, stack, 'code', { popup: true })
    const popup = await opened
    const closed = popup.waitForEvent('close')
    await allow(popup)
    await closed
    await t.resolves(page.locator('#greeting').getByText('Erika').waitFor())
  })

  await t.test('an app that is denied says so', async t => {
    const page = await openPage(t, browser, stack)
    await page.goto(app)
    await signInButton(page).click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await t.resolves(page.getByRole('alert').getByText('You did not allow this app').waitFor())
  })

  const wrong = 'The ID token does not belong to this sign-in. Sign in again.'
  const refused: Array<[name: string, change: object | null, sentence: string]> = [
    ['another issuer', { iss: 'https://other.example' }, wrong],
    ['another audience', { aud: 'other-app' }, wrong],
    ['a second audience', { aud: ['demo-app', 'other-app'] }, wrong],
    ['no audience', { aud: [] }, wrong],
    ['another nonce', { nonce: 'other' }, wrong],
    ['no nonce', { nonce: undefined }, wrong],
    ['no subject', { sub: undefined }, wrong],
    ['an end in the past', { exp: 1 }, 'The ID token has expired. Set the clock of this device, and sign in again.'],
    ['no end', { exp: undefined }, 'The ID token has expired. Set the clock of this device, and sign in again.'],
    ['nothing in it', null, 'The answer does not contain an ID token. Sign in again.']
  ]
  await t.test('an ID token for another sign-in is refused (OpenID Connect Core §3.1.3.7)', async t => {
    const page = await openPage(t, browser, stack)
    await signIn(page, stack)
    for (const [name, change, sentence] of refused) {
      await page.route(`${stack.issuer}/token`, async route => {
        const response = await route.fetch()
        const body = await response.json()
        await route.fulfill({ response, json: { ...body, id_token: change === null ? undefined : withClaims(body.id_token, change) } })
      }, { times: 1 })
      await page.goto(app)
      await signInButton(page).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByRole('alert').waitFor()
      t.equal(await page.locator('#message .title').textContent(), sentence, name)
      t.ok(await signInButton(page).isVisible(), name)
    }
  })

  await t.test('what /userinfo says of another person is not used (§5.3.2), and without it the person can still work', async t => {
    const page = await openPage(t, browser, stack)
    await signIn(page, stack)
    for (const json of [{ sub: 'other', name: 'Other' }, {}]) {
      await page.route(`${stack.issuer}/userinfo`, route => route.fulfill({ json, headers: { 'access-control-allow-origin': '*' } }), { times: 1 })
      await page.goto(app)
      await signInButton(page).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('No customers yet').waitFor()
      t.equal(await page.locator('#greeting').textContent(), 'Signed in')
    }
  })

  await t.test('where browsers give no cryptography, and where metadata is missing or of another issuer, the app says what to do', async t => {
    const page = await openPage(t, browser, stack)
    await page.route(`${stack.issuer}/.well-known/openid-configuration`, route => route.fulfill({ status: 503 }), { times: 1 })
    await page.goto(app)
    await signInButton(page).click()
    await page.getByText('The authorization server does not answer. Try again in a moment.').waitFor()
    await page.route(`${stack.issuer}/.well-known/openid-configuration`, route => route.fulfill({
      json: { issuer: 'https://other.example' }, headers: { 'access-control-allow-origin': '*' }
    }))
    await page.goto(app)
    await signInButton(page).click()
    await page.getByText(`The authorization server is https://other.example, but this app expects ${stack.issuer}.`).waitFor()
    await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
    await page.goto(app)
    await signInButton(page).click()
    await t.resolves(page.getByText('Open it at its https address, or on the computer that it runs on at http://localhost.').waitFor())
    t.equal(page.url(), `${app}/`)
  })

  await endStack(t, stack)
})

/** A JWT with other claims, and so with a wrong signature. */
function withClaims (jwt: string, change: object): string {
  const [header, payload, signature] = jwt.split('.')
  // as: the payload of a JWT is an object (RFC 7519 §3).
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object
  return [header, Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url'), signature].join('.')
}
