import { decodeJwt } from 'jose'
import t from 'tap'
import { askForCodes, decide, deviceClient, poll } from '../../support/device-flow.js'
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

t.test('a device gets nothing if the app requires a factor that the user does not have', async t => {
  const { app, stores, open } = await prepareSecondStep(t)
  await stores.clients.put(deviceClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
  const asked = await askForCodes(app)
  t.match(await decide(open(), asked.user_code, 'allow'), { statusCode: 403, body: /Your account needs two-step sign-in/ })
  t.equal((await poll(app, asked.device_code)).json().error, 'authorization_pending')
})
