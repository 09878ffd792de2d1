import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { formTokenOf } from '../../support/helper.js'
import { buildConsole } from '../../support/admin/console.js'

/** An administrator's browser with the page of another user open. */
async function openPerson (t: Test) {
  const built = await buildConsole(t)
  const [id] = [await built.add('bob'), await built.add('root', 'administrator')]
  const root = built.as('root')
  const transaction = formTokenOf(await root.open(`/people/${id}`))
  return { ...built, root, id, transaction }
}

t.test('a form that comes too late is kept over the sign-in', async t => {
  const { add, as, stores, root, id, transaction, moveClock } = await openPerson(t)
  moveClock(11)
  const form = { transaction, name: 'Bob "the" <b>', shown_name: '' }
  const asked = await root.post(`/admin/people/${id}/details`, form)
  t.match(asked.headers.location, /\/authorize\?.*max_age=600/)
  t.notMatch(asked.headers.location, 'Bob')
  const page = await root.follow(asked)
  t.equal(page.statusCode, 200)
  t.match(page.body, 'You&#39;ve signed in again.')
  t.match(page.body, 'value="Bob &quot;the&quot; &lt;b&gt;"')
  t.match(page.body, '<details open>')
  t.equal((await stores.profiles.find(id))?.name, null, 'nothing was changed yet')
  t.notMatch((await root.open(`/people/${id}`)).body, 'Bob &quot;', 'shown once')

  const saved = await root.post(`/admin/people/${id}/details`, { ...form, transaction: formTokenOf(page) })
  t.equal(saved.headers.location, `/admin/people/${id}`)
  t.equal((await stores.profiles.find(id))?.name, 'Bob "the" <b>')
  t.match((await root.open(`/people/${id}`)).body, 'Saved.')

  const again = await root.post(`/admin/people/${id}/details`, { ...form, transaction: formTokenOf(await root.open(`/people/${id}`)) })
  t.equal(again.statusCode, 303)
  moveClock(22)
  const left = await root.post(`/admin/people/${id}/details`, {
    ...form, name: 'Not for others', transaction: formTokenOf(await root.open(`/people/${id}`))
  })
  await add('other', 'administrator')
  const other = as('other')
  for (const [name, value] of root.cookies) other.cookies.set(name, value)
  t.notMatch((await other.follow(left)).body, 'Not for others', 'another user does not see it')

  root.cookies.delete('__Host-console')
  const long = { transaction: formTokenOf(page), username: randomBytes(3_000).toString('hex') }
  const late = await root.post(`/admin/people/${id}/rename`, long)
  const kept = root.cookies.get('__Host-console-sign-in')!
  t.ok(kept.length < 4_000, 'a long form is dropped, not the sign-in')
  t.equal((await root.follow(late)).statusCode, 200)

  root.cookies.delete('__Host-console')
  const compressible = { transaction: formTokenOf(page), jwks: 'x'.repeat(110_000) }
  t.equal((await root.follow(await root.post('/admin/apps/app/edit', compressible))).statusCode, 200, 'nor one that is long only unpacked')
})

t.test('after the clock was set back, a sensitive action needs the password again, as by the API', async t => {
  const { root, id, moveClock } = await openPerson(t)
  moveClock(-2)
  const send = async () => await root.send(`/people/${id}/details`, { name: 'Bob', shown_name: '' }, `/people/${id}`)
  const asked = await send()
  t.match(asked.headers.location, /\/authorize\?.*max_age=600/)
  await root.follow(asked)
  t.equal((await send()).headers.location, `/admin/people/${id}`, 'the session of the browser did not stand for a new sign-in')
})

t.test('a user can send as many requests in a minute as to the API; rejected ones count, and no one else is slowed', async t => {
  const { add, as } = await buildConsole(t)
  await add('eve', 'auditor')
  await add('sam', 'support')
  const [eve, sam] = [as('eve'), as('sam')]
  await sam.open('/people')
  await eve.open('/people')
  const statuses = new Set<number>()
  for (let batch = 0; batch < 21; batch++) {
    const sent = await Promise.all(Array.from({ length: 30 }, async () => await sam.get('/admin/apps/none/edit')))
    for (const { statusCode } of sent) statuses.add(statusCode)
  }
  t.strictSame([...statuses], [403, 429])
  const refused = await sam.get('/admin/people')
  t.match(refused.headers['retry-after'], /^\d+$/)
  t.match(refused.body, 'Too many requests')
  t.equal((await eve.get('/admin/people')).statusCode, 200)
})

t.test('a form that was open for too long says what to do in the console, for signing out, too', async t => {
  const { root, id, transaction, moveClock } = await openPerson(t)
  moveClock(31)
  for (const path of [`/admin/people/${id}/disable`, '/admin/sign-out']) {
    const { statusCode, body } = await root.post(path, { transaction })
    t.equal(statusCode, 410)
    t.match(body, 'Nothing was changed. Open the page again')
    t.match(body, '<a class="button primary" href="/admin">Start again</a>')
  }
})
