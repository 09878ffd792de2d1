import t from 'tap'
import { translator } from '../../../src/languages/translator.js'
import { problems } from '../../../src/oauth/problems.js'
import { Browser, build, query } from '../../support/helper.js'

const ISSUER = { ISSUER: 'https://id.example/id' }

t.test(
  'every error is a page for a browser, and a problem whose type has a page for a client that asks for JSON (RFC 9457 §3.1.1)',
  async t => {
    const { app } = await build(t, ISSUER)
    const rows: Array<[method: 'GET' | 'POST' | 'PUT', url: string, status: number, name: string]> = [
      ['GET', '/nothing', 404, 'path-unknown'],
      ['GET', '/id/nothing', 404, 'path-unknown'],
      ['GET', '/id/problems/nothing', 404, 'path-unknown'],
      ['GET', `/id/problems/${'x'.repeat(1_000)}`, 404, 'path-unknown'],
      ['GET', '/id/token', 405, 'method-not-allowed'],
      ['PUT', '/id/consent', 405, 'method-not-allowed'],
      ['PUT', '/id/problems/path-unknown', 405, 'method-not-allowed'],
      ['GET', '/id/consent', 400, 'incomplete-request'],
      ['GET', `/id/authorize?${query({ client_id: 'ghost' })}`, 400, 'unknown-client'],
      ['GET', `/id/authorize?${query({ redirect_uri: 'https://x.example/' })}`, 400, 'invalid-callback'],
      ['GET', '/id/authorize?%', 400, 'malformed-request'],
      ['GET', `/id/authorize?${'x'.repeat(9_000)}`, 414, 'uri-too-long'],
      ['POST', '/id/account', 403, 'cookies-off']
    ]
    for (const [method, url, status, name] of rows) {
      const [page, problem] = await Promise.all(
        ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'].map(accept => app.inject({ method, url, headers: { accept } }))
      )
      t.match([page?.statusCode, page?.headers['content-type']], [status, /^text\/html/], url)
      t.match(page?.body, /<h1>.*Reference: /s, url)
      t.equal(page?.body.includes('<a href="/id/account">Go to your account</a>'), status === 404, `${url} leads on`)
      t.match(problem?.json(), { type: `https://id.example/id/problems/${name}`, status }, url)
      t.equal((await app.inject(`/id/problems/${name}`)).statusCode, 200, name)
    }
  }
)

t.test('the list of errors leads to a page for each', async t => {
  const { app } = await build(t, ISSUER)
  const { body } = await app.inject('/id/problems')
  const links = [...body.matchAll(/href="(\/id\/problems\/[a-z-]+)"/g)].map(([, link]) => link!)
  t.same(links, problems.map(({ name }) => `/id/problems/${name}`))
  for (const [index, url] of links.entries()) {
    const title = (await translator('en')).text(problems[index]!.title).replaceAll('\'', '&#39;')
    t.match(await app.inject(url), { statusCode: 200, body: `>${title}</h1>` }, url)
  }
})

t.test('the answer to a request without client_id names what is missing', async t => {
  const { app } = await build(t)
  const rows = [
    ['/consent', 'client_id, response_type'],
    ['/authorize', 'client_id, response_type'],
    [`/consent?${query({ client_id: '' })}`, 'client_id']
  ] as const
  for (const [url, missing] of rows) {
    t.match((await app.inject(url)).body, `It is missing <code>${missing}</code>.`, url)
    t.match((await app.inject({ url, headers: { accept: 'application/json' } })).json(), { error: 'invalid_request', missing }, url)
  }
})

t.test('browsers find an icon at the origin, and password managers the form for a new password (W3C change-password)', async t => {
  const { app } = await build(t, ISSUER)
  const icon = await app.inject('/favicon.ico')
  t.match([icon.statusCode, icon.headers['content-type']], [200, 'image/x-icon'])
  t.same([...icon.rawPayload.subarray(0, 4)], [0, 0, 1, 0])
  const changed = await app.inject('/.well-known/change-password')
  t.match([changed.statusCode, changed.headers.location], [303, '/id/account#change-password'])
  t.equal((await app.inject('/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200')).statusCode, 404)
})

t.test('with cookies off each form says so, in place of an endless start again; nothing is signed in or given', async t => {
  const { app } = await build(t)
  for (const path of [`/consent?${query()}`, '/account', '/sign-out']) {
    const browser = new Browser(app)
    const page = await browser.get(path)
    browser.cookies.clear()
    const transaction = /name="transaction" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const answer = await app.inject({
      method: 'POST',
      url: path,
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ transaction, decision: 'allow', username: 'ann', password: 'correct horse' }).toString()
    })
    t.match([answer.statusCode, answer.body], [403, /Your browser blocks cookies\..*Allow cookies for this site/s], path)
    t.notOk(answer.headers['set-cookie'])
    const foreign = await new Browser(app, '192.0.2.1', new Map([['other', 'x']])).post(path, { transaction, decision: 'allow' })
    t.match([foreign.statusCode, foreign.body], [403, 'does not belong to this browser'], path)
  }
})

t.test('no page moves the focus away from what it says', async t => {
  const { app } = await build(t)
  for (const path of [`/consent?${query()}`, `/consent?${query({ login_hint: 'ann' })}`, '/account']) {
    t.notMatch((await app.inject(path)).body, 'autofocus', path)
  }
})
