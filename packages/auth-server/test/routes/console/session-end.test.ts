import t from 'tap'
import { formTokenOf, type Built } from '../../support/helper.js'
import { buildConsole, type ConsoleBrowser } from '../../support/admin/console.js'

const PASSWORD = 'correct horse'

interface Ending { readonly built: Built, readonly browser: ConsoleBrowser, readonly id: string }

/** Sends a form of the account page. */
async function send (browser: ConsoleBrowser, path: string, fields: Record<string, string> = {}) {
  return await browser.post(path, { transaction: formTokenOf(await browser.get(path)), ...fields })
}

/** What ends a user's sign-in. */
const ends: Readonly<Record<string, (ending: Ending) => Promise<unknown>>> = {
  'the sign-out page': ({ browser }) => send(browser, '/sign-out'),
  'an app that signs its user out': ({ browser }) => send(browser, '/end-session'),
  'signing out on the account page': ({ browser }) => send(browser, '/account', { decision: 'sign-out' }),
  'signing out everywhere': ({ browser }) => send(browser, '/account', { decision: 'everywhere' }),
  'a new password': ({ browser }) => send(browser, '/account', { decision: 'password', password: PASSWORD, new_password: 'quiet river stone 42' }),
  'another device': async ({ built: { stores }, id }) => {
    for (const session of (await stores.sessions.list(id, new Date())).sessions) await stores.sessions.end(id, session.id)
  },
  'a reset password': ({ built: { stores }, id }) => stores.users.setPassword({ id }, 'other'),
  'a disabled user': ({ built: { stores }, id }) => stores.users.setDisabled({ id }, new Date()),
  'an erased user': ({ built: { stores }, id }) => stores.users.remove({ id })
}

t.test('the console\'s session ends with the sign-in, however that ends', async t => {
  const built = await buildConsole(t)
  for (const [index, [name, end]] of Object.entries(ends).entries()) {
    const id = await built.add(`root${index}`, 'administrator')
    const [browser, elsewhere] = [built.as(`root${index}`), built.as(`root${index}`)]
    t.equal((await browser.open('')).statusCode, 200)
    const cookie = browser.cookies.get('__Host-console')!
    const transaction = formTokenOf(await browser.get('/admin'))
    await end({ built, browser, id })
    browser.cookies.set('__Host-console', cookie)
    t.match((await browser.get('/admin')).headers.location, /\/authorize\?/, name)
    const late = await browser.post('/admin/keys/rotate', { transaction })
    t.not(late.headers.location, '/admin/keys', `${name}: a form of an open page changes nothing`)
    elsewhere.cookies.set('__Host-console', cookie)
    t.equal((await elsewhere.get('/admin')).statusCode, 303, `${name}: the cookie does not count in another browser, either`)
  }
})

t.test('an end of the sign-in while the console signs in: no session of the console outlives it', async t => {
  const built = await buildConsole(t)
  await built.add('root', 'administrator')
  for (let round = 0; round < 10; round++) {
    const browser = built.as('root')
    await browser.open('')
    browser.cookies.delete('__Host-console')
    const begun = new URL(String((await browser.get('/admin')).headers.location))
    const callback = new URL(String((await browser.get(`/consent${begun.search}`)).headers.location))
    const transaction = formTokenOf(await browser.get('/sign-out'))
    await Promise.all([browser.get(callback.pathname + callback.search), browser.post('/sign-out', { transaction })])
    t.equal((await browser.get('/admin')).statusCode, 303)
  }
})
