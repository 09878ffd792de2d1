import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { allow, check, openPage, skip, startBrowser, WIDE } from '../support/browser.js'
import { startSite } from '../support/how-to-page.js'
import { addPerson, authorizationUrl, erika, Person } from '../support/person.js'
import { read } from '../support/sources.js'
import { endStack, freePort, root, startStack } from '../support/stack.js'

const EXAMPLE = 'examples/browser-app'

/** The copy of the folder, as a reader has it. Its packages are linked: the test needs no registry. */
const folder = await mkdtemp(join(tmpdir(), 'my-page-'))
t.teardown(async () => await rm(folder, { recursive: true }))
for (const file of ['public', 'server.js', 'package.json', 'README.md']) await cp(join(root, EXAMPLE, file), join(folder, file), { recursive: true })
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))

const readme = read(`${EXAMPLE}/README.md`)
const [, start = ''] = /^ *((?:[A-Z_]+=\S+ )+)npm start$/m.exec(readme.slice(readme.indexOf('npm install')))!
const [, origins = ''] = /^ *CORS_ORIGINS=(\S+) npm start$/m.exec(readme)!
const [, add = ''] = /^ *npx --no frontdesk-auth (client add .*)$/m.exec(readme)!
// as: package.json of the example.
const [program, file] = (JSON.parse(read(`${EXAMPLE}/package.json`)) as { scripts: { start: string } }).scripts.start.split(' ') as [string, string]

await t.test('the sign-in that others copy is three files of 250 lines in all', async t => {
  const files = ['oauth', 'openid', 'tokens'].map(name => read(`${EXAMPLE}/public/sign-in/${name}.js`))
  const lines = files.join('').split('\n').length
  t.ok(lines <= 250, `${lines} lines`)
  t.notMatch(files.join('\n'), /^.{141,}$/m, 'lines that fit a screen')
  t.notMatch(files.join(), 'customer', 'they know no API')
})

await t.test('settings that cannot work stop the server with a sentence', async t => {
  const settings: Array<[env: Record<string, string>, sentence: string]> = [
    [{ PORT: 'web' }, 'PORT is "web". Set it to a number from 0 to 65535.'],
    [{ ISSUER: 'localhost:3000' }, 'ISSUER is "localhost:3000". Set it to an http or https address.'],
    [{ CUSTOMER_URL: 'https://' }, 'CUSTOMER_URL is "https://". Set it to an http or https address.'],
    [{ CLIENT_ID: ' ' }, 'CLIENT_ID is empty. Set it, or remove it.']
  ]
  for (const [env, sentence] of settings) {
    const running = promisify(execFile)(process.execPath, [join(folder, 'server.js')], { env: { PORT: '0', ...env } })
    await t.rejects(running, { code: 1, stderr: `${sentence}\n` }, sentence)
  }
})

await t.test('copied into an empty folder, the page runs by its README alone', { skip }, async t => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const here = (text: string) => text.replaceAll('http://localhost:8080', origin).replaceAll('8080', `${port}`)
  const stack = await startStack(t, ['auth-server', 'customer-service'])
  await stack.end('customer-service', 'SIGTERM')
  await stack.start('customer-service', { CORS_ORIGINS: here(origins) })
  await addPerson(stack, erika)
  await stack.register([...here(add).matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!))
  const addresses: Record<string, string> = { ISSUER: stack.issuer, CUSTOMER_URL: stack.address('customer-service') }
  const env = Object.fromEntries(here(start).trim().split(' ').map(pair => pair.split('=') as [string, string])
    .map(([name, value]) => [name, addresses[name] ?? value]))
  t.same(Object.keys(env), ['ISSUER', 'CUSTOMER_URL', 'CLIENT_ID', 'PORT'])
  await startSite(t, origin, [program === 'node' ? process.execPath : program, join(folder, file)], env)

  const answer = new URL(await new Person(stack).allow(authorizationUrl(stack, { scope: 'customer:write' }), erika))
  const authorization = `Bearer ${new URLSearchParams(answer.hash.slice(1)).get('access_token')}`
  const body = new URLSearchParams({ customerid: '7', customername: 'Jörg Müller', customerage: '40', customeraddress: 'Köln' })
  t.equal((await fetch(`${addresses.CUSTOMER_URL}/rest/qa/customer`, { method: 'POST', headers: { authorization }, body })).status, 201)

  const browser = await startBrowser(t)
  for (const [grant, name, person, left] of [
    ['code', 'Sign in', 'Signed in as erika.', 'You\'re signed out.'],
    ['implicit', 'Sign in with the implicit grant', 'Signed in.', 'You\'re signed out of this page.']
  ] as const) {
    await t.test(`${grant}: it signs in, says who, reads a name, and signs out`, async t => {
      const page = await openPage(t, browser, stack, { viewport: WIDE })
      const refused: string[] = []
      page.on('console', message => { if (/Content Security Policy|Trusted/.test(message.text())) refused.push(message.text()) })
      page.on('pageerror', ({ message }) => { refused.push(message) })
      await page.goto(origin)
      await page.getByText(`You'll sign in at ${new URL(stack.issuer).host}.`).waitFor()
      await check(t, page, `${grant}, signed out`)
      await page.getByRole('button', { name, exact: true }).click()
      await allow(page)
      await page.getByText(person).waitFor()
      t.equal(page.url(), `${origin}/`, 'nothing of the response stays in the address')
      t.notMatch(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])), /eyJ|verifier/)
      const number = page.getByLabel('Customer number')
      await number.fill('7')
      await page.keyboard.press('Enter')
      await page.locator('output').getByText('Jörg Müller').waitFor()
      await check(t, page, `${grant}, signed in`)
      await number.fill('8')
      await page.getByRole('button', { name: 'Look up the name' }).click()
      await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
      t.equal(await page.locator('output').textContent(), '')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText(left).waitFor()
      await page.reload()
      t.ok(await page.getByRole('button', { name, exact: true }).isVisible())
      t.same(refused, [])
    })
  }

  await t.test('an answer that the page did not request is refused with a sentence', async t => {
    const page = await openPage(t, browser, stack)
    await page.goto(`${origin}/callback#access_token=injected&token_type=Bearer&expires_in=600&state=x`)
    await page.getByRole('alert').getByText('This response doesn\'t belong to a sign-in from this tab.').waitFor()
    t.equal(page.url(), `${origin}/`)
  })
  await endStack(t, stack)
})
