import { build } from 'esbuild'
import { createServer, request as send } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { generate } from 'selfsigned'
import t from 'tap'
import { allow, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { freePort, root, startStack } from '../support/stack.js'

/** What a page adds to the settings. */
const PAGE = `
await client.initialize()
const result = await client.handleRedirectPromise()
if (result === null) await client.loginRedirect({ scopes })
else document.body.textContent = JSON.stringify({ name: result.account.name, email: result.idTokenClaims.email })`

await t.test('msal-browser, which never calls /userinfo, learns name and email address with the settings of client add --for', { skip }, async t => {
  // It accepts only issuers with https.
  const ISSUER = `https://localhost:${await freePort()}`
  const stack = await startStack(t, ['auth-server'], { ISSUER })
  await addPerson(stack, erika)
  await stack.register(['user', 'update', erika.username, '--name', 'Erika Example', '--email', 'erika@example.com'])
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const printed = await stack.register(['client', 'add', 'page', '--name', 'My page', '--callback', `${origin}/`, '--for', 'msal-browser'])
  const here = printed.slice(printed.indexOf('import ')).replaceAll(stack.issuer, ISSUER).replaceAll(new URL(stack.issuer).host, new URL(ISSUER).host)
  const { outputFiles } = await build({
    stdin: { contents: here + PAGE, resolveDir: root }, bundle: true, write: false, format: 'esm'
  })
  const server = createServer((request, response) => {
    const isScript = request.url === '/main.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? outputFiles[0]!.text : '<!doctype html><title>My page</title><body><script type="module" src="/main.js"></script>')
  }).listen(port, 'localhost')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const paths: string[] = []
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec' })
  const proxy = createTlsServer({ cert, key }, (incoming, outgoing) => {
    paths.push(incoming.url!.split('?')[0]!)
    incoming.pipe(send(`${stack.address('auth-server')}${incoming.url}`, { method: incoming.method!, headers: incoming.headers }, response => {
      response.pipe(outgoing.writeHead(response.statusCode!, response.headers))
    }))
  }).listen(Number(new URL(ISSUER).port), 'localhost')
  t.teardown(() => { proxy.closeAllConnections(); proxy.close() })
  const page = await (await (await startBrowser(t)).newContext({ ignoreHTTPSErrors: true })).newPage()

  await page.goto(`${origin}/`)
  await allow(page)
  await page.getByText('Erika Example').waitFor()
  t.same(JSON.parse(await page.textContent('body') ?? ''), { name: 'Erika Example', email: 'erika@example.com' })
  t.notOk(paths.includes('/userinfo'))
  t.same(await stack.stop(), [0])
  t.same(stack.leakCheck.findings(), [])
})
