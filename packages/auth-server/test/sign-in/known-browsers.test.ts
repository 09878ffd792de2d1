import t from 'tap'
import { createSeeBrowser } from '../../src/sign-in/known-browsers.js'

const secrets = { secretKey: 'x'.repeat(32) }
const see = createSeeBrowser(secrets)
const user = (id: string, epoch = 0) => ({ id, epoch })

t.test('a browser is known to the users who signed in with it, until their access is revoked', async t => {
  const first = see(undefined, user('ann'))
  t.equal(first.isKnown, false)
  t.match(first.cookie, /^[\w-]{22}$/)
  t.notMatch(first.cookie, 'ann')
  const second = see(first.cookie, user('bob'))
  t.equal(second.isKnown, false)
  for (const [id, epoch, isKnown] of [['ann', 0, true], ['bob', 0, true], ['cy', 0, false], ['ann', 1, false]] as const) {
    t.equal(see(second.cookie, user(id, epoch)).isKnown, isKnown, `${id} ${epoch}`)
  }
  t.equal(see(second.cookie, user('ann')).cookie.length, second.cookie.length, 'a user has one mark')
})

t.test('the cookie holds the ten latest users, and anything else is ignored', async t => {
  let cookie: string | undefined
  for (let index = 0; index < 12; index++) ({ cookie } = see(cookie, user(`user ${index}`)))
  t.equal(cookie?.split('.').length, 10)
  t.equal(see(cookie, user('user 1')).isKnown, false)
  t.equal(see(cookie, user('user 2')).isKnown, true)
  for (const odd of ['', 'x', `${cookie}.`, `${cookie}.${'x'.repeat(22)}`, 'x'.repeat(10_000)]) {
    t.match(see(odd, user('user 2')), { isKnown: false, cookie: /^[\w-]{22}$/ })
  }
})

t.test('it is known after a change of SECRET_KEY, and to no other server', async t => {
  const { cookie } = see(undefined, user('ann'))
  const rotated = createSeeBrowser({ secretKey: 'y'.repeat(32), previousSecretKey: secrets.secretKey })(cookie, user('ann'))
  t.equal(rotated.isKnown, true)
  t.equal(createSeeBrowser({ secretKey: 'y'.repeat(32) })(rotated.cookie, user('ann')).isKnown, true)
  t.equal(createSeeBrowser({ secretKey: 'z'.repeat(32) })(cookie, user('ann')).isKnown, false)
})
