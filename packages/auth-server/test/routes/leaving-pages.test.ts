import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { hashPassword } from '../../src/sign-in/password.js'
import { createSignUpLinks } from '../../src/sign-in/sign-up-link.js'
import { codeClient, codeQuery } from '../support/code-flow.js'
import { Browser, build, query } from '../support/helper.js'
import { METADATA, register } from '../support/registration-flow.js'

// Pages whose form leads to an app have no form-action, which would refuse a form that a value from outside has opened: so no
// value may, and each page has the one form that is its own, besides that of the languages.

/** Ends every attribute and element that a value could be in, and opens a form. */
const EVIL = '\'"></p></title></style></script></textarea><form action=//evil.example><evil evil=\'"'
/** The same in what scopes may hold (RFC 6749 §3.3). */
const EVIL_SCOPE = EVIL.replaceAll('"', '').replaceAll(' ', '/')

const views = new URL('../../../views/', import.meta.url)

t.test('a page whose form leads outside holds exactly one form, whatever the values from outside', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'open', BRAND_NAME: 'Brand <form>', SIGN_UP: 'open', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@b.example' })
  const password = 'correct horse'
  await stores.users.add({ id: 'evil', username: EVIL, passwordHash: await hashPassword(password), demo: false })
  await stores.clients.put(codeClient({ name: EVIL, implicit: 'allowed', postLogoutRedirectUris: ['https://app.example/bye'] }))
  const unknown: string = (await register(app, { ...METADATA, client_name: EVIL })).json().client_id
  const hostile = { state: EVIL, scope: `openid ${EVIL_SCOPE}`, login_hint: EVIL, nonce: EVIL, [EVIL]: EVIL }
  const search = codeQuery(hostile)
  const browser = new Browser(app)
  const signedIn = new Browser(app)
  await signedIn.allow(search, { username: EVIL, password })
  const signOut = new URLSearchParams({ client_id: 'app', post_logout_redirect_uri: 'https://app.example/bye', ...hostile })
  const decide = async (search: string, fields: Record<string, string>) =>
    await browser.post(`/consent?${search}`, { transaction: await browser.consent(search), ...fields })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo // as: it listens on a port.
  /** As programs send it: browsers escape quotes. */
  const raw = async (path: string) => {
    const sent = request({ port, path, headers: { accept: 'text/html' } }).end()
    const [response] = await once(sent, 'response')
    return { body: await text(response), headers: response.headers }
  }
  const link = await createSignUpLinks(loadConfig({})).issue({ email: `${EVIL}@example.com`, browserHash: '', request: search }, new Date())
  const rows: Array<[name: string, page: { body: string, headers: Record<string, unknown> }, action: RegExp]> = [
    ['consent', await browser.get(`/consent?${search}`), /^\/consent\?/],
    ['consent, sent as it is', await raw(`/consent?${query()}&${EVIL.replaceAll(' ', '')}=${EVIL.replaceAll(' ', '')}`), /^\/consent\?/],
    ['consent, signed in', await signedIn.get(`/consent?${search}&prompt=consent`), /^\/consent\?/],
    ['consent after a wrong password', await decide(search, { decision: 'allow', username: EVIL, password: EVIL }), /^\/consent\?/],
    ['consent of an unknown app', await browser.get(`/consent?${codeQuery({ ...hostile, client_id: unknown })}`), /^\/consent\?/],
    ['form_post', await decide(codeQuery({ ...hostile, response_mode: 'form_post' }), { decision: 'deny' }), /^https:\/\/app\.example\/cb$/],
    ['form_post of an unknown app', await browser.get(`/consent?${codeQuery({ ...hostile, client_id: unknown, response_mode: 'form_post', prompt: 'none' })}`), /^https:\/\/app\.example\/cb$/],
    ['create-account', await browser.get(`/create-account?link=${link}`), /^\/create-account$/],
    ['end-session', await signedIn.get(`/end-session?${signOut}`), /^\/end-session\?/]
  ]
  for (const [name, { body, headers }, action] of rows) {
    t.notMatch(headers['content-security-policy'], 'form-action', name)
    const forms = [...body.matchAll(/<form\b(?! class="languages" method="post" action="\/language")[^>]*?(?: action="([^"]*)")?>/gi)]
    t.equal(forms.length, 1, name)
    t.match(forms[0]?.[1]?.replaceAll('&amp;', '&'), action, name)
    t.notMatch(body, /<evil|<\/textarea|evil=['"]/i, name)
    t.match(body, '&lt;', `${name}: the values are there, escaped`)
  }
})

t.test('what a view writes without escaping is no value from outside', async t => {
  // A condition that writes one of two constants. The values in the second kind are constants of the views.
  const constant = /^[^`]+ \? (?:'[^'${}]*'|`[^`${}]*\$\{(?:inputMode|described|name|it\.style)\}[^`${}]*`) : '[^'${}]*'$/
  // Another view, which escapes what it gets.
  const included = /^(?:include\('(?:\.|\/console)?\/[a-z-]+\.eta', (?:it|access|person|\{.*\})\)|(?:[^`'"]+ === '\w+' \? |[\w.]+ \? )?(?:button|field)\(.*\))$/s
  // The lead and the sections of an article are rendered from a text of this package.
  const known = /^(?:it\.t\.html\(.*\)|it\.(?:body|lead|mark|script|sections|style|qrCode)|it\.t\.time\([\w.]+\)|attributes|plain)$/
  const files = (await readdir(views, { recursive: true })).filter(file => file.endsWith('.eta'))
  t.ok(files.length > 40)
  for (const file of files) {
    const view = await readFile(new URL(file, views), 'utf8')
    const unescaped = [...view.matchAll(/<%~\s*(.*?)\s*%>/gs)].map(([, written]) => written)
    t.same(unescaped.filter(it => ![constant, included, known].some(allowed => allowed.test(it!))), [], file)
    t.notMatch(view, / [\w-]+=\s*<%=/, `${file}: every attribute is quoted`)
  }
})
