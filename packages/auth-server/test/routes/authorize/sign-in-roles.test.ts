import t, { type Test } from 'tap'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../../support/code-flow.js'
import { askForCodes, decide, deviceClient, poll } from '../../support/device-flow.js'
import { Browser, build } from '../../support/helper.js'

export const onBothDatabases = true

/** The app `app` for the role `staff_a`, and Ann, who has none. */
async function setUp (t: Test) {
  const built = await build(t)
  const { stores, app } = built
  const { id } = (await stores.users.find('ann'))!
  for (const role of ['staff_a', 'staffXa']) await stores.roles.add(role, [`${role}:use`])
  await stores.clients.put(codeClient({ signInRoles: ['boss', 'staff_a'] }))
  const refresh = async (token: string) =>
    await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token }))
  return { ...built, refresh, give: async (...roles: string[]) => { t.ok(await stores.roles.assign(id, roles)) } }
}

t.test('only users with one of its roles can sign in to an app', async t => {
  const { app, give, refresh } = await setUp(t)
  const browser = new Browser(app)
  const denied = { error: 'access_denied', error_description: 'The user is not allowed to use this client.' }
  t.match(queryOf(await browser.allow(codeQuery())), denied, 'without a role')
  await give('staffXa')
  t.match(queryOf(await browser.allow(codeQuery())), denied, 'with another role')
  await give('staffXa', 'staff_a')
  const { code } = queryOf(await browser.allow(codeQuery()))
  const tokens = (await post(app, '/token', exchangeForm(code!))).json()

  await give('staffXa')
  t.equal((await refresh(tokens.refresh_token)).json().error, 'invalid_grant', 'a role that was taken away ends refreshes')
  t.match(queryOf(await browser.allow(codeQuery())), denied)
})

t.test('remembered consent does not replace the role', async t => {
  const { app, give, stores } = await setUp(t)
  await give('staff_a')
  const browser = new Browser(app)
  t.ok(queryOf(await browser.allow(codeQuery())).code)
  t.equal((await browser.get(`/consent?${codeQuery()}`)).statusCode, 303, 'consent is remembered')
  await give()
  t.equal((await browser.get(`/consent?${codeQuery()}`)).statusCode, 200, 'the page is shown')
  await stores.clients.put(codeClient({ signInRoles: [] }))
  t.equal((await browser.get(`/consent?${codeQuery()}`)).statusCode, 303)
})

t.test('a device gets nothing for a user without the role', async t => {
  const { app, give, stores } = await setUp(t)
  await stores.clients.put(deviceClient({ signInRoles: ['staff_a'] }))
  const refused = await askForCodes(app)
  await decide(new Browser(app), refused.user_code, 'allow')
  t.equal((await poll(app, refused.device_code)).json().error, 'access_denied')
  await give('staff_a')
  const allowed = await askForCodes(app)
  await decide(new Browser(app), allowed.user_code, 'allow')
  t.ok((await poll(app, allowed.device_code)).json().access_token)
})

t.test('a role that is taken away while a user allows access leaves no code that works', async t => {
  const { app, give } = await setUp(t)
  for (let round = 0; round < 5; round++) {
    await give('staff_a')
    const browser = new Browser(app)
    const transaction = await browser.consent(codeQuery())
    const credentials = { username: 'ann', password: 'correct horse' }
    const [answer] = await Promise.all([
      browser.post(`/consent?${codeQuery()}`, { transaction, decision: 'allow', ...credentials }), give()
    ])
    const code = answer.statusCode === 303 ? queryOf(answer).code : undefined
    if (code === undefined) continue
    const exchanged = await post(app, '/token', exchangeForm(code))
    t.equal(exchanged.statusCode, 400)
    t.equal(exchanged.json().error, 'invalid_grant')
  }
})
