import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '@frontdesk/test-kit/free-port'
import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { Browser } from '../support/helper.js'
import { serve } from '../support/relying-party.js'
import { send } from '../support/back-channel-logout/receiver.js'

const root = new URL('../../../../../', import.meta.url)
const PAGE = 'docs/how-to/sign-in-with-openid-connect.md'

/** Starts the receiver of the page; gives its next line. */
async function startReceiver (t: Test, issuer: URL, port: number) {
  const [, script = ''] = /```js\n(import \{ createServer \}.*?)```/s.exec(readFileSync(new URL(PAGE, root), 'utf8')) ?? []
  // In the repository, where it finds what it imports.
  const folder = mkdtempSync(fileURLToPath(new URL('node_modules/.logout-', root)))
  t.teardown(() => rmSync(folder, { recursive: true }))
  writeFileSync(`${folder}/receiver.mjs`, script.replace('http://localhost:3000', issuer.origin).replace('my-site', 'app')
    .replace('.listen(8081)', `.listen(${port}, () => console.log('ready'))`))
  const child = spawn(process.execPath, [`${folder}/receiver.mjs`], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value as string
  t.equal(await next(), 'ready')
  return next
}

t.test(`the receiver in ${PAGE} accepts logout tokens of its app, and nothing else`, async t => {
  const port = await freePort()
  const uri = `http://localhost:${port}/logout-token`
  const { app, issuer, stores } = await serve(t, { backchannelLogoutUri: uri })
  const next = await startReceiver(t, issuer, port)
  const browser = new Browser(app)
  const { code } = queryOf(await browser.allow(codeQuery({ scope: 'openid' })))
  const { id_token: idToken, access_token: accessToken } = (await post(app, '/token', exchangeForm(code!))).json()
  const { sid, sub } = decodeJwt(idToken)

  const tell = async (token: string) => (await fetch(uri, { method: 'POST', body: new URLSearchParams({ logout_token: token }) })).status
  t.same([await tell(idToken), await tell(accessToken), await tell(''), (await fetch(uri)).status], [400, 400, 400, 404])
  await browser.get(`/end-session?${form({ id_token_hint: idToken })}`)
  t.same(await send(app, 1), ['delivered'])
  t.equal(await next(), `${sub} is signed out of the session ${sid}`)

  await stores.clients.put(codeClient({ id: 'other', backchannelLogoutUri: uri }))
  const { code: foreign } = queryOf(await browser.allow(codeQuery({ client_id: 'other', scope: 'openid' })))
  await post(app, '/token', exchangeForm(foreign!, { client_id: 'other' }))
  await stores.clients.setDisabled('other', new Date())
  t.same(await send(app, 1), ['failed'], 'the logout token of another app')
})
