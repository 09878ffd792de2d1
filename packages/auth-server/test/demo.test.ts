import t from 'tap'
import { longTimeouts, temporaryDatabase } from './support/database.js'
import { DEVICE_CODE, deviceClient } from './support/device-flow.js'
import { makeDemo } from '../src/demo.js'
import { openStores } from '../src/stores/stores.js'

export const onBothDatabases = true

t.test('a demo app that lacks an address for after sign-out gets it at the next start, and keeps the rest', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  const config = { demoCallback: 'http://localhost:3002/callback', demoDocsCallback: 'http://localhost:3001/docs/static/oauth2-redirect.html', callbackSchemes: [], adminAudience: undefined }
  await makeDemo(stores, config)
  const made = await stores.clients.find('desk')
  t.match(made, { grantTypes: ['authorization_code', 'refresh_token'], implicit: 'allowed', postLogoutRedirectUris: ['http://localhost:3002/'] })
  t.equal(made!.defaultScope, 'customer:read customer:write customer:delete')
  t.same((await stores.clients.find('demo-docs'))!.postLogoutRedirectUris, [])

  const { name, email, emailVerified } = (await stores.profiles.findAny('demo'))!
  t.match([name, email, emailVerified], ['Dana Demo', 'demo@example.com', true], 'what apps that show a name and an address need')

  t.match(await stores.clients.find('frontdesk-customer'), { grantTypes: [DEVICE_CODE, 'refresh_token'], implicit: 'off', callbacks: [], demo: true })

  await stores.clients.change('desk', { postLogoutRedirectUris: [] })
  await makeDemo(stores, config)
  t.same(await stores.clients.find('desk'), made)
})

t.test('an app of the operator stays as it is', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  await stores.clients.add(deviceClient({ id: 'frontdesk-customer' }))
  const added = await stores.clients.find('frontdesk-customer')
  await makeDemo(stores, { demoCallback: undefined, demoDocsCallback: undefined, callbackSchemes: [], adminAudience: undefined })
  t.same(await stores.clients.find('frontdesk-customer'), added)
})

t.test('with the administration API, the command line of administrators is registered, and nothing else gets its scopes', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  await makeDemo(stores, { demoCallback: undefined, demoDocsCallback: undefined, callbackSchemes: [], adminAudience: 'https://id.example/admin/api' })
  const scopes = (await stores.clients.list()).map(({ id, grantTypes, allowedScope }) => [id, grantTypes.join(' '), allowedScope])
  t.same(scopes, [['frontdesk-auth', DEVICE_CODE, 'admin:read admin:write'], ['frontdesk-customer', `${DEVICE_CODE} refresh_token`, null]])
})

t.test('a demo callback that may not be registered is refused with a sentence', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  const refused = makeDemo(stores, { demoCallback: 'no address', demoDocsCallback: undefined, callbackSchemes: [], adminAudience: undefined })
  await t.rejects(refused, /^DEMO_CALLBACK cannot be used\. /)
})
