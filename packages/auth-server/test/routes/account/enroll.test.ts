import t from 'tap'
import { confirmationOf, prepareEnrolling } from '../../support/enrolling.js'

export const onBothDatabases = true

t.test('a mailed code permits setting up an app while signing in to the account page', async t => {
  const { stores, ann, open, press, codeIn } = await prepareEnrolling(t)
  await stores.roles.add('clerk', ['x'], 'urn:frontdesk:acr:mfa')
  await stores.roles.assign((await ann()).id, ['clerk'])
  const [browser, at] = [open(), '/account']
  const refused = await press(browser, await browser.get(at), 'sign-in', { at, username: 'ann', password: 'correct horse' })
  t.match(refused, { statusCode: 403, body: /Email me a code/ })
  const page = await press(browser, refused, 'mail-code', { at })
  const setUp = await press(browser, page, 'enter-code', { at, code: await codeIn(0) })
  const saved = await press(browser, setUp, 'confirm-app', { at, ...confirmationOf(setUp) })
  t.match(saved, { statusCode: 200, body: /Save your recovery codes/ })
  t.match(await press(browser, saved, 'sign-in', { at }), { statusCode: 200, body: /value="everywhere"/ })
})
