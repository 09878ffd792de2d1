import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { openPage, skip, startBrowser } from '../support/browser.js'
import { blockOf, withAddresses } from '../support/how-to-page.js'
import { addPerson, erika } from '../support/person.js'
import { freePort, root, startStack } from '../support/stack.js'

const PAGE = 'docs/how-to/single-page-app-with-oidc-client-ts.md'

/** Where the page finds its modules, as a bundler would. */
const MODULES: Record<string, string> = {
  'oidc-client-ts': 'node_modules/oidc-client-ts/dist/esm/oidc-client-ts.js',
  'jwt-decode': 'node_modules/jwt-decode/build/esm/index.js'
}

await t.test(`the page of ${PAGE} signs in, greets, reads customers, renews and signs out`, { skip }, async t => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const stack = await startStack(t, ['auth-server', 'customer-service'], { CORS_ORIGINS: origin })
  const here = withAddresses(stack, [5173, port])
  await addPerson(stack, erika)
  await stack.register(['user', 'update', erika.username, '--name', 'Erika Example'])
  await stack.register([
    'client', 'add', here('my-spa'), '--name', 'My page', '--callback', `${origin}/`, '--post-logout-redirect-uri', `${origin}/`,
    '--grant', 'authorization_code', '--grant', 'refresh_token'
  ])
  await serve()

  const page = await openPage(t, await startBrowser(t), stack)
  await page.goto(`${origin}/`)
  await page.click('#sign-in')
  await page.click('button[value=deny]')
  await page.getByRole('heading', { name: 'The user denied access.' }).waitFor()
  t.equal(page.url(), `${origin}/`, 'without the error')
  await page.click('#sign-in')
  await page.fill('[name=username]', erika.username)
  await page.fill('[name=password]', erika.password)
  t.match(await page.textContent('main'), /Know who you are.*See your name, user name, language and picture.*Look up customers/s)
  await page.click('button[value=allow]')
  await page.getByRole('heading', { name: 'Hello, Erika Example' }).waitFor()
  t.equal(page.url(), `${origin}/`, 'without the code')
  await page.waitForFunction("document.querySelector('#customers').textContent.includes('items')")

  const tokens = async () => await page.evaluate(() => JSON.parse(Object.entries(sessionStorage).find(([name]) => name.startsWith('oidc.user'))![1]))
  const before = await tokens()
  for (const name of ['access_token', 'refresh_token', 'id_token']) stack.leakCheck.secret(before[name])
  await page.evaluate(async ([issuer, client, callback]) => {
    const { UserManager } = await import('oidc-client-ts')
    await new UserManager({ authority: issuer!, client_id: client!, redirect_uri: callback! }).signinSilent()
  }, [stack.issuer, here('my-spa'), `${origin}/`])
  const after = await tokens()
  t.not(after.access_token, before.access_token)
  t.equal(after.profile.sub, before.profile.sub)

  await page.click('#sign-out')
  await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
  t.equal(page.url(), `${origin}/`)
  const { status } = await fetch(`${stack.issuer}/userinfo`, { headers: { authorization: `Bearer ${after.access_token}` } })
  t.equal(status, 401, 'the tokens are revoked')
  // The heading is there before the script that handles the button.
  await page.waitForLoadState()
  await page.click('#sign-in')
  await page.locator('[name=password]').waitFor()
  t.same(await stack.stop(), [0, 0])
  t.same(stack.leakCheck.findings(), [])

  /** Serves the page of the how-to, with these addresses. */
  async function serve () {
    const [script, html] = [blockOf(PAGE, 'js'), blockOf(PAGE, 'html')]
    const imports = Object.fromEntries(Object.keys(MODULES).map(name => [name, `/modules/${name}`]))
    const replies: Record<string, [type: string, body: string]> = {
      '/': ['text/html', `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>${html}`],
      '/main.js': ['text/javascript', here(script)]
    }
    for (const [name, file] of Object.entries(MODULES)) replies[`/modules/${name}`] = ['text/javascript', await readFile(join(root, file), 'utf8')]
    const server = createServer((request, response) => {
      const [type, body] = replies[request.url!.split('?')[0]!] ?? ['text/plain', '']
      response.writeHead(body === '' ? 404 : 200, { 'content-type': type }).end(body)
    }).listen(port, 'localhost')
    t.teardown(() => { server.closeAllConnections(); server.close() })
  }
})
