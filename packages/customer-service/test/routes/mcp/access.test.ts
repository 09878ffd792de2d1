import { start } from '@frontdesk/auth-server/testing'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { buildForAssistants, callOf, MCP_HEADERS } from '../../support/assistant.js'
import { PATH } from '../../support/helper.js'

const search = callOf('search_customers')

t.test('auth-server\'s tokens for /mcp are accepted there only, until they are revoked', async t => {
  const server = await start({ audience: 'http://localhost:3001/mcp' })
  t.teardown(() => server.close())
  const { issuer: ISSUER, jwksUrl: JWKS_URL, revocationsUrl: REVOCATIONS_URL } = server
  const { post, send } = await buildForAssistants(t, { ISSUER, JWKS_URL, REVOCATIONS_URL })
  await server.addClient({ id: 'assistant' })
  const person = await server.addPerson({ username: 'erika' })
  const token = await server.tokenFor({ client: 'assistant', sub: person.id, scope: 'customer:read' })
  t.equal((await post(search, {}, token)).statusCode, 200)
  t.equal((await send('GET', PATH, { token })).statusCode, 401)
  const { status } = await fetch(`${ISSUER}/revoke`, { method: 'POST', body: new URLSearchParams({ client_id: 'assistant', token }) })
  t.equal(status, 200)
  let answer = await post(search, {}, token)
  for (const end = Date.now() + 60_000; answer.statusCode === 200 && Date.now() < end;) {
    await setTimeout(250)
    answer = await post(search, {}, token)
  }
  t.equal(answer.statusCode, 401)
  t.match(answer.headers['www-authenticate'], /error="invalid_token"/)
})

t.test('every message gets one JSON response, and none opens a stream', async t => {
  const { post } = await buildForAssistants(t)
  const methods = [
    'ping', 'initialize', 'server/discover', 'tools/list', 'tools/call', 'resources/list', 'resources/subscribe', 'prompts/get', 'completion/complete',
    'logging/setLevel', 'subscriptions/listen', 'tasks/get', 'sampling/createMessage', 'notifications/cancelled', 'no/method'
  ]
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'assistant', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {}
  }
  for (const method of methods) {
    const latest = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...method === 'tools/call' && { 'mcp-name': 'history' } }
    const params = { name: 'history', arguments: { customerid: 1 }, notifications: { toolsListChanged: true } }
    for (const [headers, rest] of [[{}, params], [latest, { ...params, _meta: meta }]] as const) {
      const { statusCode, headers: { 'content-type': type }, body } = await post({ jsonrpc: '2.0', id: 7, method, params: rest }, headers)
      t.match(type, /^application\/json/, method)
      t.ok(statusCode < 500, `${method} ${statusCode}`)
      t.match(JSON.parse(body), { jsonrpc: '2.0', id: 7 }, method)
    }
    t.match(await post({ jsonrpc: '2.0', method }), { statusCode: 202, body: '' }, `${method} without an id`)
  }
})

t.test('below the path of SERVICE_ROOT, its URL is the resource', async t => {
  const { http, mint } = await buildForAssistants(t, { SERVICE_ROOT: 'https://api.example/crm' })
  const call = async (token: string) => await http.inject({
    method: 'POST', url: '/crm/mcp', headers: { ...MCP_HEADERS, authorization: `Bearer ${token}` }, payload: JSON.stringify(search)
  })
  t.equal((await call(await mint({ aud: 'https://api.example/crm/mcp' }))).statusCode, 200)
  for (const aud of ['https://api.example/mcp', 'https://api.example/crm/mcp/', 'https://api.example/crm']) {
    const { statusCode, headers } = await call(await mint({ aud }))
    t.equal(statusCode, 401, aud)
    t.match(headers['www-authenticate'], 'resource_metadata="https://api.example/.well-known/oauth-protected-resource/crm/mcp"')
  }
  const metadata = await http.inject('/.well-known/oauth-protected-resource/crm/mcp')
  t.equal(metadata.json().resource, 'https://api.example/crm/mcp')
})
