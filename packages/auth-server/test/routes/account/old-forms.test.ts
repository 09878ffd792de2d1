import t from 'tap'
import { Browser, build, formTokenOf } from '../../support/helper.js'

t.test('a form of the account or sign-out page that was open for too long says what to do there, and speaks of no app', async t => {
  const { app, stores } = await build(t)
  const browser = new Browser(app)
  const { now } = stores.clock
  t.teardown(() => Object.assign(app.clock, { now }))
  const signIn = formTokenOf(await browser.get('/account'))
  await browser.post('/account', { transaction: signIn, decision: 'sign-in', username: 'ann', password: 'correct horse' })
  const forms = await Promise.all(['/account', '/sign-out'].map(async path => [path, formTokenOf(await browser.get(path))] as const))
  Object.assign(app.clock, { now: () => new Date(now().getTime() + 31 * 60_000) })
  for (const [path, transaction] of forms) {
    const { statusCode, body } = await browser.post(path, { transaction, decision: 'sign-out' })
    t.equal(statusCode, 410)
    t.match(body, 'Nothing was changed. Open the page again')
    t.match(body, `<a class="button primary" href="${path}">Start again</a>`)
    t.notMatch(body, 'The app')
  }
})
