import t from 'tap'
import { buildConsole } from '../../support/admin/console.js'

t.test('after the clock was set back, a sensitive action needs the password again, as by the API', async t => {
  const { add, as, stores, app } = await buildConsole(t)
  const [id] = [await add('bob'), await add('root', 'administrator')]
  const root = as('root')
  const { now } = stores.clock
  t.teardown(() => Object.assign(app.clock, { now }))
  await root.open('')
  Object.assign(app.clock, { now: () => new Date(now().getTime() - 2 * 60_000) })
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
