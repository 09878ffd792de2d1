import t from 'tap'
import { buildConsole } from '../../support/admin/console.js'

t.test('health shows findings, and a test email needs a verified address', async t => {
  const { add, as } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const page = await root.open('/health')
  t.match(page.body, 'The database responds.')
  t.match(page.body, 'Email is not configured.')
  const refused = await root.send('/health/test-mail', {}, '/health')
  t.equal(refused.statusCode, 409)
  t.match(refused.body, 'verified email address')
})

t.test('the data of a user is a file, after a recent sign-in', async t => {
  const { add, as, stores, moveClock } = await buildConsole(t)
  await add('root', 'administrator')
  const { id } = (await stores.users.find('ann'))!
  const root = as('root')
  await root.open('')
  const download = await root.get(`/admin/people/${id}/data`)
  t.match(download.headers, {
    'content-type': 'application/json', 'content-disposition': `attachment; filename="${id}.json"`, 'cache-control': 'no-store'
  })
  t.equal(download.json().user.username, 'ann')
  t.equal((await root.get('/admin/people/none/data')).statusCode, 404)
  moveClock(11)
  const asked = await root.get(`/admin/people/${id}/data`)
  t.match(asked.headers.location, /max_age=600/)
  t.match((await root.follow(asked)).body, 'Export data', 'the page of the user follows')
})
