import t from 'tap'
import { Browser } from '../../support/helper.js'
import { buildAdmin } from '../../support/admin/admin.js'
import { buildConsole } from '../../support/admin/console.js'
import { prepareNotMe } from '../../support/not-me.js'

const IDENTITY = { idHash: 'hash-of-sub', issuer: 'https://upstream.example' }

t.test('the administration API and the console show the upstream account of a user', async t => {
  const { stores, add, as } = await buildAdmin(t)
  await add('root', 'administrator')
  const ann = (await stores.users.find('ann'))!
  const ask = await as('root')
  t.match((await ask('GET', `/users/${ann.id}/factors`)).json(), { upstream: null })
  await stores.upstreamIdentities.connect(ann, IDENTITY)
  t.match((await ask('GET', `/users/${ann.id}/factors`)).json(), { upstream: { issuer: IDENTITY.issuer, lastUsedAt: null } })
  t.match((await ask('GET', `/users/${ann.id}/data`)).json(), { upstreamIdentities: [{ issuer: IDENTITY.issuer }] })
})

t.test('the console shows it on the page of the user', async t => {
  const { stores, add, as } = await buildConsole(t)
  await add('root', 'administrator')
  const ann = (await stores.users.find('ann'))!
  const root = as('root')
  t.notMatch((await root.open(`/people/${ann.id}`)).body, 'upstream.example')
  await stores.upstreamIdentities.connect(ann, IDENTITY)
  t.match((await root.open(`/people/${ann.id}`)).body, /upstream\.example.*connected/)
})

t.test('a user who denies a change disconnects what someone else has connected', async t => {
  const { app, stores, ann, issue, press } = await prepareNotMe(t)
  await stores.upstreamIdentities.connect(await ann(), IDENTITY)
  const path = await issue({ what: 'upstream-connected' })
  t.match(await press(path), { statusCode: 200, body: /Your account at the other sign-in provider was disconnected/ })
  t.equal(await stores.upstreamIdentities.find((await ann()).id), null)
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'not-me' }, 1), [{ details: { disconnected: true } }])
  t.match((await new Browser(app).get('/account')).body, 'Sign in to your account')
})
