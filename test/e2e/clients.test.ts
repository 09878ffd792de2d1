import ClientOAuth2 from 'client-oauth2'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import t, { type Test } from 'tap'
import { addPerson, erika, Person } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

const stack = await startStack(t, ['auth-server', 'customer-service'])
await addPerson(stack, erika)
const customers = `${stack.address('customer-service')}/rest/qa/customer`
const insecure = { [oauth.allowInsecureRequests]: true }

await t.test('client-oauth2 gets a token through the implicit grant and calls the register with it', async t => {
  const client = new ClientOAuth2({
    clientId: 'desk',
    authorizationUri: `${stack.issuer}/authorize`,
    redirectUri: stack.callback,
    scopes: ['customer:read', 'customer:write'],
    state: 'a state & more = 100 %'
  })
  const answer = await new Person(stack).allow(client.token.getUri(), erika)
  const token = await client.token.getToken(answer)
  t.equal(token.tokenType, 'bearer')
  t.equal(token.data.scope, 'customer:read customer:write')
  t.equal(token.data.expires_in, '600')
  t.notOk(token.expired())
  t.notOk(token.refreshToken, 'the implicit grant gives no refresh token (RFC 6749 §4.2.2)')
  await useToken(t, '7', url => token.sign({ url, headers: {} }).headers)
  await t.rejects(client.token.getToken(answer, { state: 'another' }), /Invalid state/)
})

await t.test('client-oauth2 understands the refusals', async t => {
  const person = new Person(stack)
  const options = { clientId: 'desk', authorizationUri: `${stack.issuer}/authorize`, redirectUri: stack.callback }
  const client = new ClientOAuth2(options)
  const denied = await person.submit(await person.open(client.token.getUri()), { decision: 'deny' })
  await t.rejects(client.token.getToken(denied.headers.get('location')!), { code: 'EAUTH', body: { error: 'access_denied' } })
  const unsupported = await person.request(client.token.getUri().replace('response_type=token', 'response_type=code+token'))
  await t.rejects(client.token.getToken(unsupported.headers.get('location')!), {
    code: 'EAUTH', body: { error: 'unsupported_response_type' }
  })
})

await t.test('openid-client discovers the server and builds a request that it takes (RFC 8414)', async t => {
  const config = await openid.discovery(new URL(stack.issuer), 'desk', undefined, openid.None(), {
    algorithm: 'oauth2', execute: [openid.allowInsecureRequests]
  })
  const url = openid.buildAuthorizationUrl(config, { response_type: 'token', redirect_uri: stack.callback, scope: 'customer:read' })
  const answer = new URL(await new Person(stack).allow(url.href, erika))
  t.equal(new URLSearchParams(answer.hash.slice(1)).get('scope'), 'customer:read')
})

await t.test('oauth4webapi discovers the server and validates its answers and its token (RFC 8414, 9207, 9068)', async t => {
  const issuer = new URL(stack.issuer)
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }))
  t.match(server, {
    issuer: stack.issuer, response_types_supported: ['token', 'code', 'id_token', 'id_token token'], authorization_response_iss_parameter_supported: true
  })
  const client = { client_id: 'desk' }
  const state = oauth.generateRandomState()
  const query = new URLSearchParams({
    response_type: 'token', ...client, redirect_uri: stack.callback, state, scope: 'customer:read customer:write'
  })
  const person = new Person(stack)
  const answer = fragmentOf(await person.allow(`${server.authorization_endpoint}?${query}`, erika))

  t.ok(oauth.validateAuthResponse(server, client, answer, state))
  t.throws(() => oauth.validateAuthResponse({ ...server, issuer: 'https://other.example' }, client, answer, state))
  t.throws(() => oauth.validateAuthResponse(server, client, answer, oauth.generateRandomState()))
  const headers = { authorization: `Bearer ${answer.get('access_token')}` }
  const claims = await oauth.validateJwtAccessToken(
    server,
    new Request(customers, { headers }),
    stack.address('customer-service'),
    insecure
  )
  t.match(claims, { client_id: 'desk', scope: 'customer:read customer:write', gty: 'implicit' })
  await t.rejects(oauth.validateJwtAccessToken(server, new Request(customers, { headers }), 'https://other.example', insecure))
  await useToken(t, '8', () => headers)

  const denied = await person.submit(await person.open(`${server.authorization_endpoint}?${query}`), { decision: 'deny' })
  const refusal = fragmentOf(denied.headers.get('location')!)
  t.match(t.throws(() => oauth.validateAuthResponse(server, client, refusal, state)), { error: 'access_denied' })
})

await endStack(t, stack)

/** Registers and reads a customer with what a client adds to the headers, and fails to remove it. */
async function useToken (t: Test, customerid: string, sign: (url: string) => Record<string, string>): Promise<void> {
  const one = `${customers}/${customerid}`
  const body = new URLSearchParams({ customerid, customername: 'charitha', customerage: '33', customeraddress: 'colombo' })
  t.equal((await fetch(customers, { method: 'POST', headers: sign(customers), body })).status, 201)
  t.equal(await (await fetch(one, { headers: sign(one) })).text(), 'charitha')
  const refused = await fetch(one, { method: 'DELETE', headers: sign(one) })
  t.equal(refused.status, 403)
  t.match(refused.headers.get('www-authenticate'), /error="insufficient_scope".*scope="customer:delete"/)
}

function fragmentOf (location: string): URLSearchParams {
  return new URLSearchParams(location.split('#')[1])
}
