import t from 'tap'
import { signInWith } from '../../support/admin/admin.js'
import { openAdmin } from '../../support/admin/clients.js'
import { asClient } from '../../support/admin/robot.js'

const DELETE_NOTHING = ['DELETE', '/users/nothing'] as const

t.test('with ADMIN_ACR, a sensitive change needs that level, or one above it (RFC 9470)', async t => {
  const built = await openAdmin(t, { ADMIN_ACR: 'urn:frontdesk:acr:mfa' })
  const refused = await built.root(...DELETE_NOTHING)
  t.match(refused.headers['www-authenticate'],
    /^Bearer realm="admin", error="insufficient_user_authentication", error_description="[^"]+", acr_values="urn:frontdesk:acr:mfa phr", max_age="600"$/)
  t.match(refused.json(), { status: 401, type: /sign-in-insufficient$/ })
  t.equal((await built.root('GET', '/users')).statusCode, 200, 'what is not sensitive needs no more than before')
  for (const amr of ['pwd otp mfa', 'pop user mfa']) {
    signInWith(built, amr)
    t.equal((await (await built.as('root'))(...DELETE_NOTHING)).statusCode, 404, amr)
  }
})

t.test('with ADMIN_ACR=phr, a code is not enough', async t => {
  const built = await openAdmin(t, { ADMIN_ACR: 'phr' })
  signInWith(built, 'pwd otp mfa')
  t.match((await (await built.as('root'))(...DELETE_NOTHING)).headers['www-authenticate'], 'acr_values="phr", max_age="600"')
})

t.test('a client that acts on its own behalf has no sign-in, and needs none', async t => {
  const built = await openAdmin(t, { ADMIN_ACR: 'phr' })
  const robot = await asClient(built, 'robot', 'admin:read admin:write')
  t.equal((await robot(...DELETE_NOTHING)).statusCode, 404)
})
