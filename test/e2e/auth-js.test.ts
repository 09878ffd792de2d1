import { decode } from '@auth/core/jwt'
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { allow, skip, startBrowser } from '../support/browser.js'
import { startHowToApp } from '../support/how-to-app.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

const PAGE = 'docs/how-to/sign-in-with-auth-js.md'
const COOKIE = 'authjs.session-token'

await t.test(`the site of ${PAGE} signs in, greets, reads customers, refreshes and signs out`, { skip }, async t => {
  const stack = await startStack(t, ['auth-server', 'customer-service'])
  await addPerson(stack, erika)
  await stack.register(['user', 'update', erika.username, '--name', 'Erika <Example>'])
  const secret = randomBytes(32).toString('base64')
  const app = await startHowToApp(t, stack, PAGE, { AUTH_SECRET: secret })
  // Not openPage: it would report the id_token_hint in the Location of the sign-out, where OpenID Connect has it.
  const page = await (await startBrowser(t)).newPage()

  const authorization = page.waitForRequest(request => request.url().startsWith(`${stack.issuer}/authorize`))
  const signIn = async () => {
    await page.goto(`${app.origin}/`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.click('text=Sign in with Frontdesk')
  }
  await signIn()
  t.match(Object.fromEntries(new URL((await authorization).url()).searchParams), {
    scope: 'openid profile email customer:read', code_challenge_method: 'S256', state: /./, nonce: /./
  })
  await page.click('button[value=deny]')
  await page.getByRole('button', { name: 'Sign in with Frontdesk' }).waitFor()
  t.match(page.url(), `${app.origin}/auth/signin?error=OAuthCallbackError`)
  await signIn()
  await page.locator('[name=password]').waitFor()
  const checks = (await page.context().cookies(app.origin)).map(({ name, value }) => `${name}=${value}`).join('; ')
  const returned = page.waitForRequest(request => request.url().startsWith(`${app.origin}/auth/callback/`))
  await allow(page)
  const greeting = page.getByRole('heading', { name: 'Hello, Erika <Example>' })
  await greeting.waitFor()
  const callback = (await returned).url()
  const mixedUp = callback.replace(/iss=[^&]*/, 'iss=https://other.example')
  for (const [url, cookie] of [[mixedUp, checks], [callback, '']] as const) {
    t.match((await fetch(url, { headers: { cookie }, redirect: 'manual' })).headers.get('location'), '/auth/error?error=Configuration')
  }
  t.match(await page.textContent('pre'), /"items":/)
  const session = await page.evaluate(async () => await (await fetch('/auth/session')).json())
  t.same(Object.keys(session).sort(), ['expires', 'user'], 'scripts do not get the tokens')

  const sessionCookie = async () => (await page.context().cookies(app.origin)).find(({ name }) => name === COOKIE)!.value
  // as: what the callback jwt of the page returns.
  const open = async (token: string) => await decode({ token, secret, salt: COOKIE }) as
    Record<'sub' | 'access_token' | 'refresh_token' | 'id_token', string>
  const tokens = async () => await open(await sessionCookie())
  const before = await tokens()
  const { sub } = JSON.parse(Buffer.from(before.id_token.split('.')[1]!, 'base64url').toString())
  t.equal(before.sub, sub)
  await page.reload()
  t.equal((await tokens()).access_token, before.access_token)

  await app.setClock({ secondsAhead: 700 })
  const cookie = `${COOKIE}=${await sessionCookie()}`
  const atOnce = await Promise.all(['/', '/', '/auth/session'].map(async path => {
    const { headers } = await fetch(`${app.origin}${path}`, { headers: { cookie } })
    return headers.getSetCookie().find(it => it.startsWith(`${COOKIE}=`))!.split(/[=;]/)[1]!
  }))
  await page.reload()
  const after = await tokens()
  for (const name of ['access_token', 'refresh_token', 'id_token'] as const) t.not(after[name], before[name], name)
  t.equal(after.sub, sub)
  for (const token of atOnce) t.equal((await open(token)).refresh_token, after.refresh_token, 'one refresh for requests at once')
  await app.setClock({ secondsAhead: 1400 })
  await page.reload()
  await greeting.waitFor()
  t.match(await page.textContent('pre'), /"items":/, 'with a token of the second refresh')
  const last = await tokens()
  t.not(last.refresh_token, after.refresh_token)

  await page.getByRole('link', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
  t.equal(page.url(), `${app.origin}/`)
  const { status } = await fetch(`${stack.issuer}/userinfo`, { headers: { authorization: `Bearer ${last.access_token}` } })
  t.equal(status, 401, 'the tokens are revoked')
  await app.setClock({ secondsAhead: 0 })
  await signIn()
  await allow(page)
  await greeting.waitFor()
  await stack.end('auth-server', 'SIGTERM')
  await app.setClock({ secondsAhead: 700 })
  await page.reload()
  await greeting.waitFor()
  const kept = await tokens()
  await stack.start('auth-server')
  await page.reload()
  t.not((await tokens()).refresh_token, kept.refresh_token, 'a refresh that failed was tried again')
  await stack.register(['user', 'disable', erika.username])
  await app.setClock({ secondsAhead: 1400 })
  await page.reload()
  await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
  t.same((await page.context().cookies()).filter(({ name }) => name.startsWith(COOKIE)), [], 'a refused refresh ends the session')
  t.match(app.log(), /unexpected "iss" .*response parameter value/)
  t.match(app.log(), 'InvalidCheck: state value could not be parsed')
  t.same(await stack.stop(), [0, 0])
  t.same(stack.leakCheck.findings(), [])
})
