import t from 'tap'
import { buildForAssistants, PROTOCOLS, type Protocol } from '../../support/assistant.js'

export const onBothDatabases = true

// as: its keys.
for (const protocol of Object.keys(PROTOCOLS) as Protocol[]) {
  await t.test(`the official client reads customers in protocol ${protocol}`, async t => {
    const { assistant, mint, register } = await buildForAssistants(t)
    await register(1, 'Zoë')
    await register(2, 'charitha', 'colombo')
    const client = await assistant(protocol, await mint({ scope: 'customer:read' }))
    t.equal(client.getNegotiatedProtocolVersion(), protocol)
    const { tools } = await client.listTools()
    t.same(tools.map(({ name }) => name), ['search_customers', 'read_customer', 'history'])

    const found = await client.callTool({ name: 'search_customers', arguments: { q: 'colombo', total: true } })
    t.match(found.structuredContent, { items: [{ customerid: 2, customername: 'charitha', etag: /^"\d+-json"$/ }], total: { count: 1, more: false } })
    t.same(found.content, [{ type: 'text', text: JSON.stringify(found.structuredContent) }])
    const read = await client.callTool({ name: 'read_customer', arguments: { customerid: 1 } })
    t.match(read.structuredContent, { customerid: 1, customername: 'Zoë', customerage: 33, customeraddress: 'piliyandala', etag: /^"\d+-json"$/ })
    const past = await client.callTool({ name: 'read_customer', arguments: { customerid: 1, as_of: new Date().toISOString() } })
    t.match(past.structuredContent, { customerid: 1, customername: 'Zoë' })
    const history = await client.callTool({ name: 'history', arguments: { customerid: 1 } })
    t.match(history.structuredContent, { items: [{ kind: 'registered', client_id: 'desk', after: { customername: 'Zoë' } }] })
  })
}
