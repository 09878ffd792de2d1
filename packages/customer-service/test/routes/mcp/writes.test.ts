import t from 'tap'
import { buildForAssistants, callOf, PROTOCOLS, type Protocol } from '../../support/assistant.js'
import { PATH } from '../../support/helper.js'

export const onBothDatabases = true

const zoe = { customerid: 1, customername: 'Zoë', customerage: 30, customeraddress: 'Galle' }

// as: its keys.
for (const protocol of Object.keys(PROTOCOLS) as Protocol[]) {
  await t.test(`the official client writes in protocol ${protocol}, and the history names its app`, async t => {
    const { assistant, log } = await buildForAssistants(t)
    const client = await assistant(protocol)
    const { tools } = await client.listTools()
    t.same(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]), [
      ['search_customers', true, undefined],
      ['read_customer', true, undefined],
      ['history', true, undefined],
      ['register_customer', false, false],
      ['change_customer', false, true],
      ['remove_customer', false, true],
      ['restore_customer', false, true]
    ])
    const call = async (name: string, args: Record<string, unknown>) => (await client.callTool({ name, arguments: args })).structuredContent
    const { etag, ...registered } = await call('register_customer', { ...zoe, idempotencyKey: 'a-key' }) as Record<string, unknown>
    t.same(registered, { customerid: 1, outcome: 'registered', isReplay: false })
    t.same(await call('register_customer', { ...zoe, idempotencyKey: 'a-key' }), { ...registered, etag, isReplay: true })
    t.match(await call('read_customer', { customerid: 1 }), { ...zoe, etag })
    t.same(await call('change_customer', { customerid: 1, ifMatch: etag, customeraddress: 'Kandy' }), { customerid: 1, outcome: 'changed' })
    const changed = await call('read_customer', { customerid: 1 }) as Record<string, unknown>
    t.match(changed, { ...zoe, customeraddress: 'Kandy' })
    t.same(await call('remove_customer', { customerid: 1, ifMatch: changed.etag }), { customerid: 1, outcome: 'removed' })
    const { items } = await call('history', { customerid: 1 }) as { items: Array<Record<string, unknown>> }
    t.match(items, [{ kind: 'removed' }, { kind: 'updated' }, { kind: 'registered' }])
    t.ok(items.every(item => item.client_id === 'assistant' && item.sub === 'person-1'))
    t.match(await call('restore_customer', { customerid: 1, version: items[0]?.version }), { outcome: 'restored', etag: /^"\d+-json"$/ })
    t.match(await call('read_customer', { customerid: 1 }), { customeraddress: 'Kandy' })
    t.equal(log.filter(line => line.includes('"customer changed"')).length, 4, 'every write is logged once')
    t.notOk(log.some(line => /Zoë|Kandy|Galle/.test(line)), 'and no text of a customer')
  })
}

t.test('a tool is listed and runs only with its scope, and the refusal names the scopes to request', async t => {
  const { post, mint, read, register, log } = await buildForAssistants(t)
  const etag = await register(1)
  const required = { register_customer: 'write', change_customer: 'write', restore_customer: 'write', remove_customer: 'delete' }
  for (const [name, scope] of Object.entries(required)) {
    const others = `customer:read customer:${scope === 'write' ? 'delete' : 'write'} openid`
    const token = await mint({ scope: others })
    const { result } = (await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, token)).json()
    t.notOk(result.tools.some((tool: { name: string }) => tool.name === name))
    const refused = await post(callOf(name, { ...zoe, customerid: 1, ifMatch: etag, version: 1 }), {}, token)
    t.equal(refused.statusCode, 403)
    t.equal(refused.headers['www-authenticate'], 'Bearer realm="customer-service", ' +
      'resource_metadata="http://localhost:3001/.well-known/oauth-protected-resource/mcp", error="insufficient_scope", ' +
      'error_description="The access token is missing a scope", scope="customer:read customer:write customer:delete"')
  }
  t.match(await read(1), { customername: 'charitha' })
  t.notOk(log.some(line => line.includes('"write"') && line.includes('"client_id":"assistant"')))
})

t.test('a refusal is a tool error with the sentence of the REST API, and changes nothing', async t => {
  const { assistant, register, read, send } = await buildForAssistants(t)
  const etag = await register(1)
  await register(2)
  await send('POST', `${PATH}/1/merge`, { form: '{"from":2}', headers: { 'content-type': 'application/json' } })
  const client = await assistant()
  const version = Number(/\d+/.exec(etag)?.[0])
  const before = await read(1)
  const refused: Array<[tool: string, args: Record<string, unknown>, text: RegExp]> = [
    ['register_customer', zoe, /^A customer with the identifier 1 already exists\. Nothing was changed\.$/],
    ['register_customer', { ...zoe, customerage: '30', customername: 'x'.repeat(101) }, /customername: .* at most 100 .*\n.*customerage: Must be a JSON number/s],
    ['register_customer', { ...zoe, customerid: 3, idempotencyKey: 'two words' }, /^idempotencyKey must be one key/],
    ['register_customer', { ...zoe, customerid: 3, email: 'a@b.example' }, /email: There is no such argument/],
    ['change_customer', { customerid: 1, customerage: 3 }, /^Send ifMatch with the etag of your last read\. Nothing was changed\.$/],
    ['change_customer', { customerid: 1, ifMatch: '*', customerage: 3 }, /^The ETag you sent is not the customer's current ETag/],
    ['change_customer', { customerid: 1, ifMatch: 1, customerage: 3 }, /^ifMatch must be the etag as you read it, a string such as "12-json"\. Nothing was changed\.$/],
    ['change_customer', { customerid: 1, ifMatch: 'a"b', customerage: 3 }, /^ifMatch must be the etag as you read it/],
    ['change_customer', { customerid: 1, ifMatch: '"1-json"', customerage: 3 }, /^The ETag you sent is not the customer's current ETag/],
    ['change_customer', { customerid: 1, ifMatch: etag, customername: null }, /customername: Must not be null/],
    ['change_customer', { customerid: 1, ifMatch: etag }, /^Send at least one of/],
    ['change_customer', { customerid: 9, ifMatch: etag, customerage: 3 }, /^There is no customer with the identifier 9\.$/],
    ['remove_customer', { customerid: 1 }, /^Send ifMatch with the etag of your last read/],
    ['remove_customer', { customerid: 1, ifMatch: '"1-json", "2-json"' }, /^The ETag you sent is not/],
    ['restore_customer', { customerid: 1, version: 7 }, /^The history of customer 1 does not have this version\.$/],
    ['restore_customer', { customerid: 1, version: { $gt: 0 } }, /^The history of customer 1 does not have this version\.$/],
    ['restore_customer', { customerid: 1, version: [version] }, /^The history of customer 1 does not have this version\.$/],
    ['restore_customer', { customerid: 1, version: { toString: 1 } }, /^The history of customer 1 does not have this version\.$/],
    ['restore_customer', { customerid: 1, version }, /^The customer 1 exists\. Read it, and send its etag as ifMatch\. Nothing was changed\.$/],
    ['read_customer', { customerid: '2' }, /^Customer 2 was merged into customer 1\. Use that number\.$/],
    ...[null, 5, { toString: 1 }, '2026-01-01'].map((time): [string, Record<string, unknown>, RegExp] =>
      ['read_customer', { customerid: 1, as_of: time }, /as_of: Must be a time such as \S+ \(RFC 3339\)\.$/])
  ]
  for (const [name, args, text] of refused) {
    const { isError, content } = await client.callTool({ name, arguments: args })
    t.ok(isError, name)
    t.match(content, [{ type: 'text', text }], `${name} ${JSON.stringify(args).slice(0, 60)}`)
  }
  t.same(await read(1), before)
  t.equal(await read(3), 404)
})
