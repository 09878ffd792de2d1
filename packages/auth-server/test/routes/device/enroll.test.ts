import t from 'tap'
import { askForCodes, decide, deviceClient, poll } from '../../support/device-flow.js'
import { confirmationOf, prepareEnrolling } from '../../support/enrolling.js'
import { creationOf } from '../../support/passkey-page.js'

export const onBothDatabases = true

t.test('a mailed code permits setting up an app while a device is connected', async t => {
  const { app, stores, open, press, codeIn } = await prepareEnrolling(t)
  await stores.clients.put(deviceClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
  const [browser, asked] = [open(), await askForCodes(app)]
  const form = { at: '/device', user_code: asked.user_code }
  const refused = await decide(browser, asked.user_code, 'allow')
  const page = await press(browser, refused, 'mail-code', form)
  const setUp = await press(browser, page, 'enter-code', { ...form, code: await codeIn(0) })
  const saved = await press(browser, setUp, 'confirm-app', { ...form, ...confirmationOf(setUp) })
  t.equal((await poll(app, asked.device_code)).json().error, 'authorization_pending')
  t.equal((await press(browser, saved, 'allow', form)).statusCode, 303)
  t.type((await poll(app, asked.device_code)).json().access_token, 'string')
})

t.test('and a passkey, if only that suffices', async t => {
  const { app, stores, open, press, codeIn } = await prepareEnrolling(t)
  await stores.clients.put(deviceClient({ requiredAcr: 'phr' }))
  const [browser, asked] = [open(), await askForCodes(app)]
  const form = { at: '/device', user_code: asked.user_code }
  const page = await press(browser, await decide(browser, asked.user_code, 'allow'), 'mail-code', form)
  const creation = await press(browser, page, 'enter-code', { ...form, code: await codeIn(0) })
  t.match(creation.body, /name="user_code" value="/)
  const saved = await press(browser, creation, 'confirm-passkey', { ...form, ...creationOf(creation) })
  t.equal((await press(browser, saved, 'allow', form)).statusCode, 303)
  t.type((await poll(app, asked.device_code)).json().access_token, 'string')
})
