import t from 'tap'
import { askForCodes, decide, deviceClient, enter, poll } from '../../support/device-flow.js'
import { Browser, formTokenOf } from '../../support/helper.js'
import { connectUpstream, startPair } from '../../support/upstream.js'

t.test('a user connects a device with the upstream provider, and returns to the code', async t => {
  const pair = await startPair(t)
  const { app, stores } = pair
  await stores.clients.put(deviceClient())
  await connectUpstream(pair, new Browser(app))
  const { device_code: deviceCode, user_code: userCode } = await askForCodes(app)
  const browser = new Browser(app)
  const page = await enter(browser, userCode)
  t.match(page.body, 'Sign in with Example')
  t.notMatch(page.headers['content-security-policy'], 'form-action')
  const pressed = await browser.post('/device', { transaction: formTokenOf(page), user_code: userCode, decision: 'upstream' })
  const returned = await browser.get(await pair.answerOf(String(pressed.headers.location)))
  t.equal(returned.headers.location, `/device?user_code=${userCode}`)
  t.match((await browser.get(String(returned.headers.location))).body, `value="${userCode}"`)
  const consent = await enter(browser, userCode)
  t.notMatch(consent.body, 'name="password"')
  t.equal((await decide(browser, userCode, 'allow', consent)).statusCode, 303)
  t.equal((await poll(app, deviceCode)).statusCode, 200)
})
