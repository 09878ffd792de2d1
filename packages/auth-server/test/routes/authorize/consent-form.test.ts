import t from 'tap'
import { FORM_TOKEN_TTL } from '../../../src/lifetimes.js'
import { issueFormToken } from '../../../src/consent/form-token.js'
import { deriveFormKeys } from '../../../src/consent/form-keys.js'
import { Browser, build, fragmentOf, query } from '../../support/helper.js'

const ANN = { username: 'ann', password: 'correct horse' }

t.test('a form that is not this browser\'s and this request\'s gets 403 and no token', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  const other = new Browser(app)
  const [mine, theirs] = [await browser.consent(), await other.consent()]
  const [header, payload, signature] = mine.split('.')
  const rows: Array<[name: string, who: Browser, search: string, form: Record<string, string>]> = [
    ['no cookie', new Browser(app), query(), { transaction: mine }],
    ['another browser\'s field', browser, query(), { transaction: theirs }],
    ['another browser\'s cookie', other, query(), { transaction: mine }],
    ['made for another scope', browser, query({ scope: 'customer:delete' }), { transaction: mine }],
    ['made for another state', browser, query({ state: 'x' }), { transaction: mine }],
    ['no field', browser, query(), {}],
    ['an empty field', browser, query(), { transaction: '' }],
    ['a changed payload', browser, query(), { transaction: `${header}.${payload}x.${signature}` }],
    ['no signature', browser, query(), { transaction: `${header}.${payload}.` }],
    ['alg none', browser, query(), { transaction: `${btoa('{"alg":"none","typ":"consent+jwt"}').replaceAll('=', '')}.${payload}.` }],
    ['rubbish', browser, query(), { transaction: 'rubbish' }]
  ]
  for (const [name, who, search, form] of rows) {
    const response = await who.post(`/consent?${search}`, { decision: 'allow', ...ANN, ...form })
    t.equal(response.statusCode, 403, name)
    t.equal(response.headers.location, undefined, name)
    t.match(response.body, `href="https://id.example/authorize?${search.replaceAll('&', '&amp;')}"`, 'start again restores the request')
  }
})

t.test('an expired form gets 410 and the way to start again', async t => {
  const { app } = await build(t, { SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789' })
  const browser = new Browser(app)
  const [, claims = ''] = (await browser.consent()).split('.')
  const { shown } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const keys = deriveFormKeys({ secretKey: 'abcdefghijklmnopqrstuvwxyz0123456789' })
  const binding = { browser: browser.cookies.get('__Host-transaction')!, query: query() }
  for (const [age, status] of [[FORM_TOKEN_TTL + 2, 410], [FORM_TOKEN_TTL - 10, 303]] as const) {
    const transaction = issueFormToken(keys, binding, new Date(Date.now() - age * 1000), { shown })
    const response = await browser.post(`/consent?${query()}`, { transaction, decision: 'allow', ...ANN })
    t.equal(response.statusCode, status)
    if (status === 410) t.match(response.body, 'Start again')
  }
})

t.test('a form that was made before SECRET_KEY was changed goes through while SECRET_KEY_PREVIOUS names the old one', async t => {
  const [before, after] = ['abcdefghijklmnopqrstuvwxyz0123456789', 'another secret key of many characters']
  const { app, databaseUrl } = await build(t, { SECRET_KEY: before })
  const browser = new Browser(app)
  const transaction = await browser.consent()
  const form = { transaction, decision: 'allow', ...ANN }
  for (const [env, status] of [[{ SECRET_KEY_PREVIOUS: before }, 303], [{}, 403]] as const) {
    const changed = await build(t, { DATABASE_URL: databaseUrl, SECRET_KEY: after, ...env })
    t.equal((await new Browser(changed.app, '192.0.2.1', browser.cookies).post(`/consent?${query()}`, form)).statusCode, status)
  }
})

t.test('of 100 posts of one form at once exactly one issues a token', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const transaction = await browser.consent()
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => browser.post(`/consent?${query()}`, { transaction, decision: 'allow' }))
  )
  t.equal(responses.filter(it => it.statusCode === 303 && fragmentOf(it).access_token !== undefined).length, 1)
  // A slow machine may have no connection for all of them in time.
  t.equal(responses.filter(it => [400, 503].includes(it.statusCode) && it.headers.location === undefined).length, 99)
  const again = await browser.post(`/consent?${query()}`, { transaction, decision: 'allow', ...ANN })
  t.equal(again.statusCode, 400, 'nor ever later')
})

t.test('an incomplete or repeated field, another media type and a large body are refused', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  const transaction = await browser.consent()
  const form = new URLSearchParams({ transaction, decision: 'allow', ...ANN }).toString()
  for (const [body, status] of [
    [form.replace('decision=allow', ''), 400], [form.replace('allow', 'perhaps'), 400], [`${form}&username=bob`, 400],
    [`${form}&password=x`, 400], [`${form}&decision=deny`, 400], [`${form}&x=%`, 400], [`${form}&x=%ff`, 400], ['', 400],
    [`${form.replace('allow', 'mail-code')}&transaction=x`, 400], [`${form.replace('allow', 'confirm-app')}&app=x&app=y`, 400],
    [`${form}&x=${'x'.repeat(17_000)}`, 413]
  ] as const) {
    const response = await browser.post(`/consent?${query()}`, body)
    t.equal(response.statusCode, status, body.slice(-30))
    t.equal(response.headers.location, undefined)
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
    const response = await app.inject({
      method: 'POST',
      url: `/consent?${query()}`,
      headers: type === '' ? {} : { 'content-type': type },
      payload: '{"decision":"allow"}'
    })
    t.equal(response.statusCode, 415, type)
  }
})
