import t from 'tap'
import { addSignUpCode } from '../../../src/admin/sign-up-codes.js'
import { loadConfig } from '../../../src/config.js'
import { createSignUpLinks } from '../../../src/sign-in/sign-up-link.js'
import { Browser } from '../../support/helper.js'
import { ACCOUNT, beginSignUp } from '../../support/sign-up.js'

export const onBothDatabases = true

t.test('with SIGN_UP=code, an unknown, used up or expired code gets the same answer, for every address', async t => {
  const { stores, request, create, link, mails } = await beginSignUp(t, { SIGN_UP: 'code' })
  const add = async (days: number) => (await addSignUpCode(stores, { label: 'Partners', uses: 1, days }, { kind: 'shell', name: 'test' })).code
  const code = await add(1)
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const wrong = ['', 'BCDF-GHJK-LMNP-QRST', 'x'].flatMap(code => ['ivy@example.com', 'ann@example.com'].map(email => ({ email, code })))
  const answers = await Promise.all(wrong.map(async ({ email, code }) => await request(email, { code })))
  const shown = answers.map(({ statusCode, body }) => ({ statusCode, body: body.replace(/value="[^"]*"/g, '') }))
  t.same(shown, shown.map(() => shown[0]))
  t.match(shown[0], { statusCode: 403, body: /This invitation code is wrong, has expired or was used up/ })
  t.equal(mails.length, 0)

  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `
  const [first, second] = [await link('ivy@example.com', { code: typed }), await link('joe@example.com', { code: typed })]
  t.equal((await create(first)).statusCode, 303)
  t.match(await create(second, { ...ACCOUNT, username: 'joe' }), { statusCode: 409, body: /was used up/ })
  t.match(await request('kim@example.com', { code }), { statusCode: 403, body: /has expired or was used up/ })
})

t.test('a link from before codes were required ends', async t => {
  const { app } = await beginSignUp(t, { SIGN_UP: 'code' })
  const link = await createSignUpLinks(loadConfig({})).issue({ email: 'ivy@example.com', browserHash: '' }, app.clock.now())
  t.equal((await new Browser(app).get(`/create-account?link=${link}`)).statusCode, 410)
})

t.test('guesses of a code are limited by source; a link fills the code in', async t => {
  const { app, stores, request } = await beginSignUp(t, { SIGN_UP: 'code' })
  const browser = new Browser(app, '203.0.113.9')
  const statuses = []
  for (let i = 0; i < 11; i++) statuses.push((await request('ivy@example.com', { browser, code: `wrong ${i}` })).statusCode)
  t.same(statuses, [...Array.from({ length: 10 }, () => 403), 429])
  await app.auditTrail.flush()
  t.equal((await stores.audit.list({ event: 'sign-up' }, 99)).length, 10)
  t.match((await browser.get('/sign-up?code=BCDF-GHJK')).body, /name="code"[^>]+value="BCDF-GHJK"/)
})
