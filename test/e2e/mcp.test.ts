import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import { startHowToApp } from '../support/how-to-app.js'
import { createProvider, publishDocument } from '../support/mcp-client.js'
import { addPerson, erika, Person } from '../support/person.js'
import { endStack, freePort, startStack } from '../support/stack.js'

const PAGE = 'docs/how-to/sign-in-from-mcp-clients.md'
const CALLBACK = 'http://127.0.0.1/callback'

const { document, ca } = await publishDocument(t, CALLBACK)
const [port, stack] = [await freePort(), await startStack(t, [])]
const resource = `http://localhost:${port}/mcp`
await stack.start('auth-server', {
  REGISTRATION: 'open', CLIENT_METADATA_DOCUMENTS: 'on', MCP_RESOURCES: resource, NODE_EXTRA_CA_CERTS: ca
})
await addPerson(stack, erika)
await startHowToApp(t, stack, PAGE, {}, port)

for (const [how, url] of [['registers itself', undefined], ['has a metadata document', document]] as const) {
  await t.test(`an MCP client that ${how} finds auth-server through the MCP server, signs in and calls a tool`, async t => {
    const { kept, provider } = createProvider(CALLBACK, url)
    const connect = async () => {
      const client = new Client({ name: 'assistant', version: '1.0.0' })
      const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider })
      // as: the transport of the SDK has optional properties that its interface declares otherwise.
      return { client, transport, connected: client.connect(transport as Parameters<Client['connect']>[0]) }
    }
    const first = await connect()
    await t.rejects(first.connected, { message: 'Unauthorized' })
    t.match(kept.client?.client_id, url ?? /^app-/)
    const asked = new URL(kept.url ?? '').searchParams
    t.match(Object.fromEntries(asked), { resource, scope: 'customer:read', code_challenge_method: 'S256' })
    const answer = new URL(await new Person(stack).allow(kept.url ?? '', erika))
    await first.transport.finishAuth(answer.searchParams.get('code') ?? '')
    stack.leakCheck.token(kept.tokens?.access_token ?? '')

    const second = await connect()
    await second.connected
    t.match(await second.client.callTool({ name: 'who_am_i' }), {
      content: [{ type: 'text', text: /^You are [0-9a-f-]{36}, and may customer:read\.$/ }]
    })
    await second.client.close()

    kept.tokens = { ...kept.tokens!, access_token: 'expired' }
    const third = await connect()
    await third.connected
    t.not(kept.tokens.access_token, 'expired', 'the SDK has used the refresh token')
    await third.client.close()
  })
}

await t.test('the MCP server refuses a token for another API', async t => {
  await stack.register(['client', 'add', 'job', '--name', 'Job', '--confidential', '--grant', 'client_credentials', '--default-scope', 'customer:read'])
  const { secret } = JSON.parse(await stack.register(['client', 'secret', 'add', 'job', '--json'])) as { secret: string }
  const answer = await fetch(`${stack.issuer}/token`, {
    method: 'POST', headers: { authorization: `Basic ${btoa(`job:${secret}`)}` }, body: new URLSearchParams({ grant_type: 'client_credentials' })
  })
  // as: a token response.
  const { access_token: token } = await answer.json() as { access_token: string }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const refused = await fetch(resource, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(call)
  })
  t.equal(refused.status, 401)
  t.match(refused.headers.get('www-authenticate'), /error="invalid_token".*resource_metadata="/)
})

await endStack(t, stack)
