import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { addUser } from '../../support/admin/admin.js'
import { askForCodes, decide, deviceClient, enter, poll } from '../../support/device-flow.js'
import { Browser, build, formTokenOf } from '../../support/helper.js'
import { prepareSecondStep, requestsCode } from '../../support/second-step.js'

export const onBothDatabases = true

/** The administration API. */
const RESOURCE = 'https://id.example/admin/api'

async function prepare (t: Test) {
  const built = await build(t, { ADMIN: 'true' })
  await built.stores.clients.put(deviceClient({ allowedScope: 'admin:read admin:write customer:read' }))
  return { ...built, browser: new Browser(built.app) }
}

t.test('administration by a device needs the password each time, so that auth_time is now', async t => {
  const { app, browser } = await prepare(t)
  await decide(browser, (await askForCodes(app)).user_code, 'allow')
  const { user_code: userCode } = await askForCodes(app, { scope: 'admin:read', resource: RESOURCE })
  t.match((await enter(browser, userCode)).body, 'name="password"')
  t.notMatch((await enter(browser, (await askForCodes(app)).user_code)).body, 'name="password"')
})

t.test('with ADMIN_ACR, administration by a device needs the code, even in a trusted browser', async t => {
  const { app, stores, ann, enroll, open } = await prepareSecondStep(t, { ADMIN: 'true', ADMIN_ACR: 'urn:frontdesk:acr:mfa' })
  await stores.clients.put(deviceClient({ allowedScope: 'admin:read customer:read' }))
  await stores.roles.assign((await ann()).id, ['auditor'])
  const { codes } = await enroll()
  const browser = open()
  const submitCode = async (userCode: string, code: string, more: Record<string, string> = {}) => {
    const page = await decide(browser, userCode, 'allow')
    t.ok(requestsCode(page))
    const { statusCode } = await browser.post('/device', { transaction: formTokenOf(page), user_code: userCode, decision: 'allow', code, ...more })
    t.equal(statusCode, 303)
    await browser.get('/device')
  }
  const signOut = () => { for (const name of browser.cookies.keys()) if (name.endsWith('session')) browser.cookies.delete(name) }
  await submitCode((await askForCodes(app)).user_code, codes[0]!, { trust: 'yes' })
  signOut()
  t.equal((await decide(browser, (await askForCodes(app)).user_code, 'allow')).statusCode, 303, 'the browser is trusted')
  signOut()
  const asked = await askForCodes(app, { scope: 'admin:read', resource: RESOURCE })
  await submitCode(asked.user_code, codes[1]!)
  t.match(decodeJwt((await poll(app, asked.device_code)).json().access_token), { acr: 'urn:frontdesk:acr:mfa', scope: 'admin:read' })
})

t.test('a user whose role permits less sees that after the password, and need not enter it again', async t => {
  const { app, stores, browser } = await prepare(t)
  await addUser({ stores }, 'aud', ['auditor'])
  const requested = { scope: 'admin:read admin:write', resource: RESOURCE }
  const { device_code: code, user_code: userCode } = await askForCodes(app, requested)
  const signedIn = await browser.post('/device', {
    transaction: formTokenOf(await enter(browser, userCode)), user_code: userCode, decision: 'allow', username: 'aud', password: 'correct horse'
  })
  t.match(signedIn.body, 'You can\'t allow it to:')
  t.notMatch(signedIn.body, 'name="password"')
  t.equal((await decide(browser, userCode, 'allow', signedIn)).statusCode, 303)
  t.match((await poll(app, code)).json(), { scope: 'admin:read' })
  t.match((await enter(browser, (await askForCodes(app, requested)).user_code)).body, 'name="password"', 'the next request needs it again')
})
