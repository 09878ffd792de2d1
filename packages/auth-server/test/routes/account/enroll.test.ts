import { createPasskey } from '@frontdesk/test-kit/passkey'
import t from 'tap'
import { challengeOf } from '../../../src/factors/relying-party.js'
import { confirmationOf, prepareEnrolling } from '../../support/enrolling.js'
import { SITE } from '../../support/factors.js'
import { formTokenOf } from '../../support/helper.js'

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
  const code = createPasskey(SITE).create({ challenge: challengeOf(formTokenOf(saved)) })
  t.equal((await press(browser, saved, 'confirm', { at: '/account/passkeys', code })).statusCode, 409, 'a passkey needs the password again')
  t.match(await press(browser, saved, 'sign-in', { at }), { statusCode: 200, body: /value="everywhere"/ })
})
