import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { allow, openPage, skip, startBrowser } from '../support/browser.js'
import { startSite } from '../support/fake-site.js'
import { addPerson, erika } from '../support/person.js'
import { root, startStack } from '../support/stack.js'

const [TABS, RENEWALS] = [6, 10]

/** How long all renewals may take, in milliseconds, on a busy machine. */
const TIMEOUT_MS = 300_000

/** Where the page finds its modules, as a bundler would. */
const MODULES: Record<string, string> = {
  'oidc-client-ts': 'node_modules/oidc-client-ts/dist/esm/oidc-client-ts.js',
  'jwt-decode': 'node_modules/jwt-decode/build/esm/index.js'
}

/** What the page keeps of its renewals. */
interface Tab { renewals: number, errors: string[] }

await t.test(`${TABS} tabs of oidc-client-ts that share a sign-in renew it ${RENEWALS} times each, and none is signed out`, { skip }, async t => {
  const origin = await startSite(t, async (request, response) => {
    const [type, body] = await reply(request.url!.split('?')[0]!)
    response.writeHead(body === '' ? 404 : 200, { 'content-type': type }).end(body)
  })
  const stack = await startStack(t, ['auth-server'])
  await addPerson(stack, erika)
  await stack.register([
    'client', 'add', 'tabs', '--name', 'My page', '--callback', `${origin}/`, '--access-token-ttl', '60',
    '--grant', 'authorization_code', '--grant', 'refresh_token', '--default-scope', 'customer:read'
  ])

  const page = await openPage(t, await startBrowser(t), stack)
  await page.goto(`${origin}/`)
  await page.click('button')
  await allow(page)
  await page.getByRole('heading', { name: 'Signed in' }).waitFor()
  const tabs = [page]
  while (tabs.length < TABS) tabs.push(await page.context().newPage())
  await Promise.all(tabs.slice(1).map(async tab => await tab.goto(`${origin}/`)))

  const done = `tab.renewals >= ${RENEWALS} || tab.errors.length > 0`
  await Promise.all(tabs.map(async tab => await tab.waitForFunction(done, undefined, { timeout: TIMEOUT_MS })))
  const seen = await Promise.all(tabs.map(async tab => await tab.evaluate('tab') as Tab))
  t.same(seen.flatMap(({ errors }) => errors), [])
  t.ok(seen.every(({ renewals }) => renewals >= RENEWALS), seen.map(({ renewals }) => renewals).join(', '))
  t.match(await page.evaluate('manager.signinSilent().then(user => user.access_token)'), /^ey/, 'the token that they share works')

  /** The page, which renews a few seconds after each renewal, and its modules. */
  async function reply (path: string): Promise<[type: string, body: string]> {
    const file = MODULES[path.replace('/modules/', '')]
    if (file !== undefined) return ['text/javascript', await readFile(join(root, file), 'utf8')]
    const imports = Object.fromEntries(Object.keys(MODULES).map(name => [name, `/modules/${name}`]))
    if (path !== '/') return ['text/plain', '']
    return ['text/html', `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
      <h1></h1><button>Sign in</button>
      <script type="module">
        import { UserManager, WebStorageStateStore } from 'oidc-client-ts'
        window.manager = new UserManager({
          authority: '${stack.issuer}', client_id: 'tabs', redirect_uri: '${origin}/', scope: 'openid customer:read',
          userStore: new WebStorageStateStore({ store: localStorage }), accessTokenExpiringNotificationTimeInSeconds: 57
        })
        window.tab = { renewals: 0, errors: [] }
        manager.events.addUserLoaded(() => { tab.renewals++ })
        manager.events.addSilentRenewError(error => { tab.errors.push(String(error)) })
        document.querySelector('button').onclick = () => manager.signinRedirect()
        if (location.search !== '') {
          await manager.signinRedirectCallback()
          history.replaceState(null, '', '/')
        }
        if (await manager.getUser() !== null) document.querySelector('h1').textContent = 'Signed in'
      </script>`]
  }
})
