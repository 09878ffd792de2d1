import t from 'tap'
import { compileFunction } from 'node:vm'
import { codeClient, post } from '../../support/code-flow.js'
import { Browser, build } from '../../support/helper.js'

const ORIGIN = 'https://app.example'

/** What the code on the page exports. */
interface SignIn { signIn: () => Promise<void>, finishSignIn: () => Promise<Record<string, unknown>> }

t.test('the page that deprecated answers link to names this server, the parameters and where to ask', async t => {
  const { app } = await build(t, { ISSUER: 'https://id.example/id', SUPPORT_URL: 'mailto:help@www.example' })
  const { statusCode, body } = await app.inject('/id/leave-implicit')
  t.equal(statusCode, 200)
  for (const text of ['https://id.example/id/token', 'code_challenge_method=S256', '<a href="mailto:help@www.example">Ask', 'href="https://id.example/id/problems"']) {
    t.ok(body.includes(text), text)
  }
  for (const [, id] of body.matchAll(/href="#([^"]+)"/g)) t.ok(body.includes(`<h2 id="${id}">`), id!)
})

t.test('the page is readable as Markdown, with the same code and addresses', async t => {
  const { app } = await build(t, { ISSUER: 'https://id.example/id', SUPPORT_URL: 'mailto:help@www.example' })
  const { statusCode, headers, body } = await app.inject('/id/leave-implicit.md')
  t.match([statusCode, headers['content-type']], [200, 'text/markdown; charset=utf-8'])
  const parts = [
    '# Leave the implicit grant\n', ' to id.example. ', 'curl https://id.example/id/token \\\n', '&iss=https%3A%2F%2Fid.example%2Fid\n',
    "const issuer = 'https://id.example/id'\n", '[Ask the operator of this server](mailto:help@www.example)', '(https://id.example/id/problems)'
  ]
  for (const part of parts) t.ok(body.includes(part), part)
  t.notMatch(body, 'auth.example')
  t.match((await app.inject('/id/llms.txt')).body, '(/id/leave-implicit.md)')
  const { app: other } = await build(t)
  t.match((await other.inject('/leave-implicit.md')).body, '\nAsk the operator of this server whether')
})

t.test('the code on the page, as it is, signs a person in, and refuses answers to other tabs and of other servers', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ id: 'my-app', callbacks: [`${ORIGIN}/callback`] }))
  const [, html] = /aria-label="sign-in.js"><code>([^]*?)<\/code>/.exec((await app.inject('/leave-implicit')).body)!
  const code = html!.replace(/&#(\d+);/g, (entity, character: string) => String.fromCharCode(Number(character))).replaceAll('export ', '')

  let asked = ''
  const kept = new Map<string, string>()
  const location = { origin: ORIGIN, pathname: '/callback', search: '', assign: (url: string) => { asked = url } }
  const history = { replaceState: () => { location.search = '' } }
  const sessionStorage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name)
  }
  const fetch = async (url: string, { body }: { body: URLSearchParams }) => {
    const response = await post(app, url, body.toString(), { origin: ORIGIN })
    t.equal(response.headers['access-control-allow-origin'], ORIGIN)
    return { ok: response.statusCode === 200, json: async () => response.json() }
  }
  // as: the code exports these two.
  const { signIn, finishSignIn } = compileFunction(
    `${code}\nreturn { signIn, finishSignIn }`, ['location', 'history', 'sessionStorage', 'fetch']
  )(location, history, sessionStorage, fetch) as SignIn

  const answer = async () => {
    await signIn()
    const { origin, pathname, search } = new URL(asked)
    t.equal(origin + pathname, 'https://id.example/authorize')
    return new URL(String((await new Browser(app).allow(search.slice(1))).headers.location)).search
  }
  location.search = await answer()
  const foreign = location.search
  t.match(await finishSignIn(), { access_token: /^eyJ/, token_type: 'Bearer', scope: 'customer:read' })
  t.equal(location.search, '')

  location.search = foreign
  await t.rejects(finishSignIn(), { message: 'state differs' })
  location.search = (await answer()).replace('id.example', 'other.example')
  await t.rejects(finishSignIn(), { message: 'iss differs' })
})
