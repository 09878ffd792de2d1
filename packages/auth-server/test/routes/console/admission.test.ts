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
