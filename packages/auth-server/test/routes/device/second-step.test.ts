import { decodeJwt } from 'jose'
import t from 'tap'
import { askForCodes, decide, deviceClient, enter, poll } from '../../support/device-flow.js'
import { formTokenOf } from '../../support/helper.js'
import { prepareSecondStep, requestsCode } from '../../support/second-step.js'

export const onBothDatabases = true

t.test('a device gets tokens after the code, which say so', async t => {
  const { app, stores, enroll, open } = await prepareSecondStep(t)
  await stores.clients.put(deviceClient())
  const { codes } = await enroll()
  const [browser, asked] = [open(), await askForCodes(app)]
  const page = await decide(browser, asked.user_code, 'allow')
  t.ok(requestsCode(page))
  const form = { transaction: formTokenOf(page), user_code: asked.user_code, decision: 'allow' }
  t.equal((await browser.post('/device', { ...form, code: '000000' })).statusCode, 403)
  t.equal((await browser.post('/device', { ...form, code: codes[0]! })).statusCode, 303)
  t.match(decodeJwt((await poll(app, asked.device_code)).json().access_token), { acr: 'urn:frontdesk:acr:mfa', amr: ['pwd', 'otp', 'mfa'] })
})

t.test('a device can request a level, which a trusted browser does not replace', async t => {
  const { app, stores, enroll, open, enterPassword, enterCode } = await prepareSecondStep(t)
  await stores.clients.put(deviceClient())
  const { code, codes } = await enroll()
  const browser = open()
  await enterCode(browser, await enterPassword(browser), code(), { trust: 'yes' })
  await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), decision: 'sign-out' })
  const levelOf = async ({ device_code: asked }: { device_code: string }) => decodeJwt((await poll(app, asked)).json().access_token).acr

  const plain = await askForCodes(app, { acr_values: 'unknown' })
  t.equal((await decide(browser, plain.user_code, 'allow')).statusCode, 303)
  t.equal(await levelOf(plain), 'urn:frontdesk:acr:password')

  const strong = await askForCodes(app, { acr_values: 'urn:frontdesk:acr:mfa phr' })
  const page = await decide(browser, strong.user_code, 'allow')
  t.ok(requestsCode(page))
  const form = { transaction: formTokenOf(page), user_code: strong.user_code, decision: 'allow' }
  t.equal((await browser.post('/device', { ...form, code: codes[0]! })).statusCode, 303)
  t.equal(await levelOf(strong), 'urn:frontdesk:acr:mfa')
})

t.test('a device can request a recent sign-in', async t => {
  const { app, stores, open } = await prepareSecondStep(t)
  await stores.clients.put(deviceClient())
  const browser = open()
  t.equal((await decide(browser, (await askForCodes(app)).user_code, 'allow')).statusCode, 303)
  for (const [maxAge, needsPassword] of [['600', false], ['0', true]] as const) {
    const asked = await askForCodes(app, { max_age: maxAge })
    const page = await enter(browser, asked.user_code)
    t.equal(page.body.includes('name="password"'), needsPassword, maxAge)
    t.equal((await decide(browser, asked.user_code, 'allow', page)).statusCode, 303)
    t.equal((await poll(app, asked.device_code)).statusCode, 200)
  }
  for (const changes of [{ max_age: 'x' }, { max_age: '-1' }]) t.match(await askForCodes(app, changes), { error: 'invalid_request' })
})

t.test('a device gets nothing if the app requires a factor that the user does not have', async t => {
  const { app, stores, open } = await prepareSecondStep(t)
  await stores.clients.put(deviceClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
  const asked = await askForCodes(app)
  t.match(await decide(open(), asked.user_code, 'allow'), { statusCode: 403, body: /Your account needs two-step sign-in/ })
  t.equal((await poll(app, asked.device_code)).json().error, 'authorization_pending')
})
