import t from 'tap'
import { formTokenOf, type Browser } from '../../support/helper.js'
import { prepareSecondStep, requestsCode } from '../../support/second-step.js'

export const onBothDatabases = true

const isSignedIn = ({ body }: { body: string }) => body.includes('value="everywhere"')

async function signIn (browser: Browser) {
  const transaction = formTokenOf(await browser.get('/account'))
  return await browser.post('/account', { transaction, decision: 'sign-in', username: 'ann', password: 'correct horse' })
}

t.test('the account page requires the code after the password', async t => {
  const { stores, enroll, open } = await prepareSecondStep(t)
  const { codes } = await enroll()
  const browser = open()
  const page = await signIn(browser)
  t.ok(requestsCode(page))
  t.match(page.body, /<input type="hidden" name="decision" value="sign-in">/)
  t.notOk(isSignedIn(await browser.get('/account')))
  const send = async (code: string) =>
    await browser.post('/account', { transaction: formTokenOf(page), decision: 'sign-in', code, trust: 'yes' })
  t.match(await send('000000'), { statusCode: 403, body: /That code isn/ })
  t.ok(isSignedIn(await send(codes[0]!)))
  t.ok(isSignedIn(await browser.get('/account')))
  t.match((await stores.sessions.list((await stores.users.find('ann'))!.id, new Date())).sessions, { length: 1 })
  for (const name of browser.cookies.keys()) if (name.endsWith('session')) browser.cookies.delete(name)
  t.ok(isSignedIn(await signIn(browser)), 'in a trusted browser')
})

t.test('a session from before two-step sign-in was on needs a code, to see the account and to change it', async t => {
  const { stores, ann, enroll, open } = await prepareSecondStep(t)
  const browser = open()
  const before = formTokenOf(await signIn(browser))
  const { codes } = await enroll()
  const page = await browser.get('/account')
  t.ok(requestsCode(page))
  t.ok(requestsCode(await browser.get('/account/two-step')))
  const password = { password: 'correct horse' }
  t.ok(requestsCode(await browser.post('/account/two-step', { transaction: before, decision: 'turn-off', ...password })))
  const change = { transaction: before, decision: 'password', ...password, new_password: 'battery staple' }
  t.ok(requestsCode(await browser.post('/account', change)))
  t.equal((await ann()).factors, 'totp')

  const send = async (decision: string, code = '') => await browser.post('/account', { transaction: formTokenOf(page), decision, code })
  t.match(await send('sign-in', '000000'), { statusCode: 403, body: /That code isn/ })
  t.ok(isSignedIn(await send('sign-in', codes[0])))
  t.ok(isSignedIn(await browser.get('/account')))
  t.match((await stores.sessions.list((await ann()).id, new Date())).sessions, { length: 1 })

  const other = open()
  await stores.factors.removeAll('ann')
  await signIn(other)
  await enroll()
  const next = await other.post('/account', { transaction: formTokenOf(await other.get('/account')), decision: 'switch' })
  t.match(next.body, 'name="password"', '"Not you?" signs out')
})

t.test('the account page requires the factor of a role', async t => {
  const { stores, ann, open } = await prepareSecondStep(t)
  await stores.roles.add('clerk', ['x'], 'urn:frontdesk:acr:mfa')
  await stores.roles.assign((await ann()).id, ['clerk'])
  const browser = open()
  t.match(await signIn(browser), { statusCode: 403, body: /Your account needs two-step sign-in/ })
  t.notOk(isSignedIn(await browser.get('/account')))
})

t.test('a trusted browser does not stand in for the code where factors are changed', async t => {
  const { enroll, open } = await prepareSecondStep(t)
  const { codes } = await enroll()
  const browser = open()
  await browser.post('/account', { transaction: formTokenOf(await signIn(browser)), decision: 'sign-in', code: codes[0]!, trust: 'yes' })
  for (const name of browser.cookies.keys()) if (name.endsWith('session')) browser.cookies.delete(name)
  t.ok(isSignedIn(await signIn(browser)))
  const page = await browser.get('/account/two-step')
  t.ok(requestsCode(page))
  const transaction = formTokenOf(await browser.get('/account'))
  for (const decision of ['set-up', 'codes', 'turn-off']) {
    t.ok(requestsCode(await browser.post('/account/two-step', { transaction, decision, password: 'correct horse' })), decision)
  }
  await browser.post('/account', { transaction: formTokenOf(page), decision: 'sign-in', code: codes[1]! })
  t.match((await browser.get('/account/two-step')).body, 'Replace the app')
})
