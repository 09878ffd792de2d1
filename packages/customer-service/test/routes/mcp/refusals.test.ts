import { makeDpopKey, signProof } from '@frontdesk/test-kit/dpop'
import t from 'tap'
import { buildForAssistants, callOf, MCP_HEADERS } from '../../support/assistant.js'
import { build, PATH } from '../../support/helper.js'

const ORIGIN = 'https://app.example'
const search = callOf('search_customers')
/** A JSON text whose arguments have this many levels. */
const levels = (count: number) => JSON.stringify(search).replace('{}}}', `{"q":${'['.repeat(count)}${']'.repeat(count)}}}}`)

const refused: Array<[name: string, body: unknown, headers: Record<string, string>, status: number, answer: Record<string, unknown>]> = [
  ['a batch', [search], {}, 400, { detail: 'The body is JSON, but not an object. Send one JSON object.' }],
  ['no JSON', '{', {}, 400, { detail: 'The body is not JSON. Send one JSON object.' }],
  ['JSON with a repeated member', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"history","name":"erase"}}', {}, 400, {
    detail: 'An object in the JSON repeats a member. Send each member once.'
  }],
  ['deep JSON', levels(40), {}, 400, { detail: /^The JSON has more than 32 levels/ }],
  ['very deep JSON', levels(30_000), {}, 400, { detail: /^The JSON has more than 32 levels/ }],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 400, { detail: /^The body is not UTF-8/ }],
  ['more than 64 KiB', `"${'x'.repeat(65_535)}"`, {}, 413, { detail: 'The body has 65537 bytes; 65536 are allowed.' }],
  ['another type', 'q=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415, { detail: 'Content-Type must be application/json, in utf-8.' }],
  ['a client that takes no JSON', search, { accept: 'text/event-stream' }, 406, { detail: 'Accept must allow application/json, in utf-8.' }],
  ['a page of another origin', search, { origin: 'https://elsewhere.example' }, 403, { title: 'The origin is not allowed' }],
  ['an opaque origin', search, { origin: 'null' }, 403, { title: 'The origin is not allowed' }],
  ['an Accept without streams, in protocol 2025-11-25', search, { accept: 'application/json' }, 406, { error: { message: /must accept both/ } }],
  ['an earlier protocol', search, { 'mcp-protocol-version': '2025-03-26' }, 400, { error: { message: /Unsupported protocol version/ } }],
  ['protocol 2026-07-28 without its metadata', search, { 'mcp-protocol-version': '2026-07-28' }, 400, { error: { code: -32602 } }]
]

t.test('what is refused before a tool is called', async t => {
  const { post, log } = await buildForAssistants(t, { CORS_ORIGINS: ORIGIN })
  for (const [name, body, headers, status, answer] of refused) {
    const response = await post(body, headers)
    t.equal(response.statusCode, status, name)
    t.match(response.json(), answer, name)
  }
  t.equal(log.filter(line => line.includes('"tool"')).length, 3, 'the log names the tool of valid messages')
})

t.test('hostile names reach no object of the program', async t => {
  const { post } = await buildForAssistants(t)
  for (const name of ['__proto__', 'constructor', 'toString', 'erase_customer', 'x'.repeat(60_000)]) {
    const response = await post(callOf(name))
    t.equal(response.statusCode, 200)
    t.match(response.json(), { error: { code: -32602 } }, name.slice(0, 20))
  }
  for (const member of ['"__proto__":{"limit":1}', '"q":{"\\u005f_proto__":1}']) {
    const body = JSON.stringify(search).replace('{}', `{${member}}`)
    t.match(await post(body), { statusCode: 400 }, member)
    t.match((await post(body)).json(), { detail: /has the member __proto__/ }, member)
  }
  t.match((await post('{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{"method":"ping"}}')), { statusCode: 400 })
  t.notOk('limit' in {} || 'method' in {})
})

t.test('a refusal has at most 20 field errors, and cuts their lines', async t => {
  const { post } = await buildForAssistants(t)
  const names = Array.from({ length: 5_000 }, (_, index) => `x${index}`)
  const args = Object.fromEntries([...names, '🙂'.repeat(1_000)].map(name => [name, 1]))
  const { result } = (await post(callOf('search_customers', args))).json()
  t.ok(result.isError)
  const lines = result.content[0].text.split('\n')
  t.equal(lines.length, 22)
  t.match(lines[0], /^Correct the parameters in errors: x0, x1, .*…$/)
  t.match(lines.at(-1), 'and 4981 more')
  t.ok(lines.every((line: string) => [...line].length <= 501))
})

t.test('a token is for the REST API or for /mcp, and the challenge says where to get the other', async t => {
  const { post, send, mint, everything } = await buildForAssistants(t)
  const metadata = 'http://localhost:3001/.well-known/oauth-protected-resource/mcp'
  for (const token of [everything, null]) {
    const { statusCode, headers } = await post(search, {}, token)
    t.equal(statusCode, 401)
    t.match(headers['www-authenticate'], new RegExp(`^Bearer realm="customer-service", resource_metadata="${metadata}",.* scope="customer:read"`))
  }
  t.equal((await send('GET', PATH, { token: await mint() })).statusCode, 401)
  const { resource, scopes_supported: scopes } = (await send('GET', new URL(metadata).pathname)).json()
  t.same({ resource, scopes }, { resource: 'http://localhost:3001/mcp', scopes: ['customer:read'] }, 'reading first')
  const other = await post(search, {}, await mint({ scope: 'customer:write' }))
  t.equal(other.statusCode, 403)
  t.match(other.headers['www-authenticate'], /error="insufficient_scope".*scope="customer:read customer:write"/, 'with the scope that it has')
})

t.test('a token that is bound to a key needs a proof of this endpoint', async t => {
  const { post, mint } = await buildForAssistants(t)
  const key = await makeDpopKey()
  const token = await mint({ cnf: { jkt: key.jkt } })
  t.equal((await post(search, {}, token)).statusCode, 401, 'it is no bearer token')
  const prove = async (url: string, nonce?: string) => {
    const dpop = await signProof(key, { method: 'POST', url, accessToken: token, nonce })
    return await post(search, { authorization: `DPoP ${token}`, dpop }, null)
  }
  const first = await prove('http://localhost:3001/mcp')
  t.match(first.headers['www-authenticate'], /use_dpop_nonce/)
  const nonce = String(first.headers['dpop-nonce'])
  t.equal((await prove('http://localhost:3001/rest/qa/customer', nonce)).statusCode, 401)
  t.match((await prove('http://localhost:3001/mcp', nonce)).json(), { result: { structuredContent: { items: [] } } })
})

t.test('pages of listed origins can call it; there are no sessions and streams', async t => {
  const { http, post, send } = await buildForAssistants(t, { CORS_ORIGINS: ORIGIN })
  const called = await post(search, { origin: ORIGIN })
  t.match(called.headers, { 'access-control-allow-origin': ORIGIN })
  t.equal(called.statusCode, 200)
  const preflight = await http.inject({
    method: 'OPTIONS',
    url: '/mcp',
    headers: { origin: ORIGIN, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,mcp-protocol-version' }
  })
  t.match(preflight.headers, { 'access-control-allow-origin': ORIGIN, 'access-control-allow-headers': 'authorization, mcp-protocol-version' })
  for (const method of ['GET', 'DELETE']) {
    const { statusCode, headers } = await send(method, '/mcp', { headers: MCP_HEADERS })
    t.match({ statusCode, allow: headers.allow }, { statusCode: 405, allow: 'POST, OPTIONS' })
  }
})

t.test('it is off by default', async t => {
  const { send } = await build(t)
  for (const path of ['/mcp', '/.well-known/oauth-protected-resource/mcp']) t.equal((await send('POST', path)).statusCode, 404, path)
})
