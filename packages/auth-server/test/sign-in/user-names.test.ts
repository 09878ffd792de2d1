import t from 'tap'
import { askForCodes, deviceClient, enter } from '../support/device-flow.js'
import { Browser, build, formTokenOf, fragmentOf } from '../support/helper.js'

export const onBothDatabases = true

t.test('spaces around a user name make no difference, wherever people sign in', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(deviceClient())
  const password = 'correct horse'
  for (const username of [' ann', 'ann ', '  Ann\t', '\u00a0ann\u3000']) {
    const name = JSON.stringify(username)
    t.ok(fragmentOf(await new Browser(app).allow(undefined, { username, password })).access_token, `the consent page: ${name}`)
    const account = new Browser(app)
    const page = await account.get('/account')
    t.match((await account.post('/account', { transaction: formTokenOf(page), decision: 'sign-in', username, password })).body, 'signed in as <strong>ann</strong>', `the account page: ${name}`)
    const device = new Browser(app)
    const { user_code: userCode } = await askForCodes(app)
    const form = { transaction: formTokenOf(await enter(device, userCode)), user_code: userCode, decision: 'allow', username, password }
    t.equal((await device.post('/device', form)).statusCode, 303, `the page of a device: ${name}`)
    t.equal((await stores.users.find(username))?.username, 'ann', `a command: ${name}`)
    t.equal((await stores.profiles.findAny(username))?.username, 'ann')
  }
  t.equal(fragmentOf(await new Browser(app).allow(undefined, { username: 'a nn', password })).access_token, undefined, 'a space within it does')
  t.equal(fragmentOf(await new Browser(app).allow(undefined, { username: 'ann', password: ` ${password}` })).access_token, undefined, 'in a password it does')
})

t.test('attempts with spaces around a user name count as attempts on that account', async t => {
  const { app } = await build(t)
  const attempt = async (username: string) => (await new Browser(app).allow(undefined, { username, password: 'wrong' })).statusCode
  for (const username of ['ann', ' ann', 'ann ', ' ann ', '\tann']) t.equal(await attempt(username), 403, JSON.stringify(username))
  for (const username of ['ann', '  ann']) t.equal(await attempt(username), 429, JSON.stringify(username))
})

t.test('after a wrong password the focus is in the password field, without a script', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  const focused = (body: string) => [...body.matchAll(/<\w+[^>]* autofocus[^>]*>/g)].map(([tag]) => / id="([^"]+)"/.exec(tag)?.[1])
  const wrong = { username: 'ann', password: 'wrong' }
  t.same(focused((await browser.allow(undefined, wrong)).body), ['password'], 'of the consent page')
  const sent = async (fields: Record<string, string>) =>
    (await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), ...fields })).body
  t.same(focused(await sent({ decision: 'sign-in', ...wrong })), ['password'], 'of the account page')
  await browser.allow()
  const changes = { decision: 'password', new_password: 'another correct horse' }
  t.same(focused(await sent({ ...changes, password: 'wrong' })), ['password'], 'of the form that changes it')
  t.same(focused(await sent({ ...changes, password: 'correct horse', new_password: 'short' })), ['new-password'])
})
