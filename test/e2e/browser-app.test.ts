import t from 'tap'
import { accessibilityFindings, allow, openPage, pressSignIn, signIn, signOut, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, root, startStack } from '../support/stack.js'

// as: the app is plain JavaScript.
const { identify } = await import(new URL('examples/browser-app/public/sign-in/openid.js', `file://${root}`).href) as {
  identify: (tokens: { token: string, idToken?: string }, expected: Record<'issuer' | 'clientId' | 'nonce', string>) => Promise<string | undefined>
}
const expected = { issuer: 'https://auth.example', clientId: 'my-page', nonce: 'n1' }
const claims = { iss: expected.issuer, aud: expected.clientId, nonce: expected.nonce, sub: 's1', exp: Date.now(), preferred_username: 'erika' }
const identifyBy = async (change: object) => {
  const payload = Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url')
  return await identify({ token: 'a token', idToken: `e30.${payload}.c2ln` }, expected)
}

const wrong = 'The ID token doesn\'t belong to this sign-in. Sign in again.'
const expired = 'The ID token has expired. Correct this device\'s clock, then sign in again.'
const refused: Array<[name: string, change: object, sentence: string]> = [
  ['another issuer', { iss: 'https://other.example' }, wrong],
  ['another audience', { aud: 'other-app' }, wrong],
  ['a second audience', { aud: ['my-page', 'other-app'] }, wrong],
  ['no audience', { aud: [] }, wrong],
  ['another nonce', { nonce: 'other' }, wrong],
  ['no nonce', { nonce: undefined }, wrong],
  ['no subject', { sub: undefined }, wrong],
  ['an end in the past', { exp: 1 }, expired],
  ['no end', { exp: undefined }, expired]
]
await t.test('an ID token for another sign-in is refused (OpenID Connect Core §3.1.3.7)', async t => {
  for (const [name, change, message] of refused) await t.rejects(identifyBy(change), { message }, name)
})

await t.test('what /userinfo says of another person is not used (§5.3.2), and it may fail', async t => {
  const { fetch } = globalThis
  t.teardown(() => { globalThis.fetch = fetch })
  const answers: Array<[told: object | null, name: string]> = [
    [{ sub: 's1', name: 'Erika Müller' }, 'Erika Müller'], [{ sub: 'other', name: 'Other' }, 'erika'], [{}, 'erika'], [null, 'erika']
  ]
  for (const [told, name] of answers) {
    globalThis.fetch = async url => {
      if (String(url).endsWith('/openid-configuration')) return Response.json({ issuer: expected.issuer, userinfo_endpoint: 'https://auth.example/me' })
      return told === null ? Response.error() : Response.json(told)
    }
    t.equal(await identifyBy({}), name)
  }
})

await t.test('OpenID Connect in the desk', { skip }, async t => {
  const stack = await startStack(t)
  const app = stack.address('desk')
  await addPerson(stack, erika)
  const page = await openPage(t, await startBrowser(t), stack)
  const signInButton = page.getByRole('button', { name: 'Sign in', exact: true })

  await t.test('who has no name is greeted by user name; no token stays in the address or in the storage', async t => {
    const asked = page.waitForRequest(`${stack.issuer}/authorize?*`)
    await signIn(page, stack)
    t.match(Object.fromEntries(new URL((await asked).url()).searchParams), {
      response_type: 'code',
      client_id: 'desk',
      scope: 'openid profile customer:read customer:write customer:delete',
      code_challenge: /^[\w-]{43}$/,
      code_challenge_method: 'S256',
      state: /^[\w-]{36}$/,
      nonce: /^[\w-]{43}$/
    })
    await page.locator('#greeting').getByText('erika').waitFor()
    t.equal(page.url(), `${app}/`)
    t.equal(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])), '[{"frontdesk.signed-in":"true"},{},""]')
  })

  await stack.register(['user', 'update', erika.username, '--name', 'Erika <b>Müller</b>'])

  await t.test('a person is greeted by name, and signs out of the app and of the authorization server without a question', async t => {
    await page.goto(app)
    await page.locator('#greeting').getByText('Erika <b>Müller</b>').waitFor()
    t.same(await accessibilityFindings(page), [])
    const left = page.waitForRequest(`${stack.issuer}/end-session?*`)
    await signOut(page)
    t.match(Object.fromEntries(new URL((await left).url()).searchParams), { id_token_hint: /^eyJ/, post_logout_redirect_uri: `${app}/` })
    await page.getByText(`You're signed out of this app and ${new URL(stack.issuer).host}.`).waitFor()
    t.equal(page.url(), `${app}/`, 'without the state')
    t.equal(await page.locator('#greeting').count(), 0)
    await page.reload()
    await signInButton.waitFor()
    t.equal(await page.getByText('You\'re signed out').count(), 0, 'it is said once')
  })

  await t.test('a state that this tab did not send says nothing about a sign-out', async t => {
    await page.goto(`${app}/?state=made-up`)
    await signInButton.waitFor()
    t.equal((await page.locator('#message').textContent())?.trim(), '')
  })

  await t.test('after signing out the password is asked for, and an app that is denied says so', async t => {
    await signInButton.click()
    await page.getByLabel('Password', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Deny' }).click()
    await t.resolves(page.getByRole('alert').getByText('You denied this app access').waitFor())
  })

  await t.test('a popup signs in for the page that opened it, by name', async t => {
    const opened = page.waitForEvent('popup')
    await pressSignIn(page, stack, 'code', { popup: true })
    const popup = await opened
    const closed = popup.waitForEvent('close')
    await allow(popup)
    await closed
    await t.resolves(page.locator('#greeting').getByText('Erika').waitFor())
    await page.evaluate(() => localStorage.removeItem('frontdesk.settings'))
  })

  await t.test('an answer without an ID token does not sign in', async t => {
    await page.route(`${stack.issuer}/token`, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...await response.json(), id_token: undefined } })
    }, { times: 1 })
    await page.goto(app)
    await page.getByRole('alert').getByText('The response has no ID token. Sign in again.').waitFor()
    t.ok(await signInButton.isVisible())
  })

  await t.test('without /userinfo the person can still work', async t => {
    await page.route(`${stack.issuer}/userinfo`, route => route.abort(), { times: 1 })
    await page.goto(app)
    await page.getByText('No customers yet').waitFor()
    t.equal(await page.locator('#greeting').textContent(), 'Signed in')
  })

  await t.test('where browsers give no cryptography, and where metadata is missing or of another issuer, the app says what to do', async t => {
    await page.route(`${stack.issuer}/.well-known/openid-configuration`, route => route.fulfill({ status: 503 }), { times: 1 })
    await page.goto(app)
    await page.getByText('Can\'t reach the authorization server. Try again in a moment.').waitFor()
    await page.route(`${stack.issuer}/.well-known/openid-configuration`, route => route.fulfill({
      json: { issuer: 'https://other.example' }, headers: { 'access-control-allow-origin': '*' }
    }))
    await page.goto(app)
    await page.getByText(`The authorization server is https://other.example, but this app expects ${stack.issuer}.`).waitFor()
    await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
    await page.goto(app)
    await signInButton.click()
    await t.resolves(page.getByText('Open its https address, or http://localhost on the computer that runs it.').waitFor())
    t.equal(page.url(), `${app}/`)
  })

  await endStack(t, stack)
})
