import t from 'tap'
import { buildConsole } from '../../support/admin/console.js'
import { startMailServer } from '../../support/mail-server.js'

/** The results of a page, by user name. */
const resultsOf = (body: string) => Object.fromEntries([...body.matchAll(/<tr>\n<td><a [^>]*><bdi>([^<]+)<\/bdi><\/a><\/td>\n<td>(.*?)<\/td>/gs)]
  .map(([, name, result]) => [name, result!.replaceAll(/<[^>]+>/g, '').trim()]))
const chosen = (...ids: string[]) => ids.map(id => `users=${id}`).join('&')

t.test('what support does with chosen people is decided for each: who has a built-in role is refused, the others are not', async t => {
  const { add, as, stores, app } = await buildConsole(t)
  const ids = [await add('bob'), await add('eve', 'auditor'), await add('ann2'), await add('sam', 'support')]
  const before = await Promise.all(ids.map(async id => (await stores.users.find({ id }))!.epoch))
  const sam = as('sam')
  const { statusCode, body } = await sam.send('/people/sign-out', chosen(...ids, 'unknown'), '/people')
  t.equal(statusCode, 200)
  t.match(body, 'Done for 2 of 5.')
  const role = 'refused Only an administrator can do this for a user with a built-in role: administrator, auditor, support.'
  t.match(resultsOf(body), { bob: 'Signed out.', eve: role, ann2: 'Signed out.', sam: role, unknown: /^refused No user has the id/ })
  const after = await Promise.all(ids.map(async id => (await stores.users.find({ id }))!.epoch))
  t.same(after.map((epoch, i) => epoch - before[i]!), [1, 0, 1, 0])
  await app.auditTrail.flush()
  t.equal((await stores.audit.list({ event: 'user sign-out' }, 10)).length, 2)
  t.equal((await sam.send('/people/disable', chosen(ids[0]!), '/people')).statusCode, 403)
})

t.test('an administrator disables chosen people, but not the last administrator', async t => {
  const { add, as, stores } = await buildConsole(t)
  const root = await add('root', 'administrator')
  const [bob, zoe] = [await add('bob'), await add('zoe')]
  const { body } = await as('root').send('/people/disable', chosen(bob, root, zoe), '/people')
  t.match(body, 'Done for 2 of 3.')
  t.match(resultsOf(body), { bob: 'Disabled.', root: /^refused .*administrator/, zoe: 'Disabled.' })
  t.equal((await stores.users.find({ id: root }))?.disabledAt, null)
})

t.test('invitations are sent again to the people who have no password yet, by support by email only', async t => {
  const mail = await startMailServer(t)
  const { add, as, stores } = await buildConsole(t, mail.env)
  await add('sam', 'support')
  await add('root', 'administrator')
  const bob = await add('bob')
  const invite = async (id: string, email?: string) =>
    await stores.users.add({ id, username: id, passwordHash: 'x', demo: false, isInvited: true, ...email !== undefined && { email } })
  await invite('new', 'new@example.com')
  await invite('mute')
  const sent = await as('sam').send('/people/invite-again', chosen('new', 'mute', bob), '/people')
  t.match(resultsOf(sent.body), {
    new: 'Emailed to new@example.com.', mute: /^refused .*hand over a link/, bob: /^refused .*has already set a password/
  })
  t.same(mail.mails.map(({ to }) => to), [['new@example.com']])
  t.match(mail.mails[0]?.source, 'Subject: Your account at id.example', 'not that of a reset')
  t.notMatch(sent.body, 'set-password?link=')
  const one = await as('sam').send('/people/new/reset', {}, '/people/new')
  t.match(one.body, 'Invited new again')
  t.same(mail.mails.map(({ to }) => to), [['new@example.com'], ['new@example.com']], 'as on the page of the user')
  const shown = await as('root').send('/people/invite-again', chosen('mute'), '/people')
  t.match(shown.body, 'https://id.example/set-password?link=')
})

t.test('no one or more people than a page has are refused, and what was chosen stays over a sign-in', async t => {
  const { add, as, stores, moveClock } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const none = await root.send('/people/sign-out', '', '/people')
  t.equal(none.statusCode, 400)
  t.match(none.body, 'Select at least one person.')
  t.equal((await root.send('/people/sign-out', chosen(...Array.from({ length: 51 }, (_, i) => `${i}`)), '/people')).statusCode, 400)
  await stores.users.add({ id: 'new', username: 'new', passwordHash: 'x', demo: false, isInvited: true })
  moveClock(11)
  const asked = await root.send('/people/invite-again', chosen('new'), '/people')
  t.match(asked.headers.location, /max_age=600/)
  t.match((await root.follow(asked)).body, 'value="new" aria-label="Select new" checked>')
})
