import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { accessibilityFindings, allow, allowButton, openPage, skip, startBrowser } from '../support/browser.js'
import { createProvider, publishDocument } from '../support/mcp-client.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

/** It sets what `MCP=on npm start` sets. */
export const needsOwnProcess = true
process.env.MCP = 'on'

/** A program on this device that waits for responses at its callback. */
async function startProgram (t: Test) {
  const server = createServer((request, response) => response.end('You can close this page.')).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  // as: it listens on a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
}

await t.test('assistants', { skip }, async t => {
  const stack = await startStack(t, [])
  const callback = await startProgram(t)
  const { document, ca } = await publishDocument(t, 'http://127.0.0.1/callback')
  await stack.start('auth-server', { NODE_EXTRA_CA_CERTS: ca })
  await stack.start('customer-service', { MCP: 'on' })
  await addPerson(stack, erika)
  const browser = await startBrowser(t)
  const service = stack.address('customer-service')
  const resource = `${service}/mcp`

  const lists = (page: Page) => page.locator('form ul')
    .evaluateAll(all => all.map(list => [...list.children].map(({ textContent }) => textContent)))

  for (const [how, customerid, url, mode, javaScriptEnabled] of [
    ['registers itself', 501, undefined, 'legacy', true], ['has a metadata document', 502, document, { pin: '2026-07-28' }, false]
  ] as const) {
    await t.test(`an assistant that ${how} signs in, reads, and asks again before it writes`, async t => {
      const { kept, provider } = createProvider(callback, url)
      const page = await openPage(t, browser, stack, { javaScriptEnabled, viewport: { width: 1280, height: 800 } })
      const connect = async () => {
        const client = new Client({ name: 'assistant', version: '1.0.0' }, { versionNegotiation: { mode } })
        const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider })
        return { client, transport, connected: client.connect(transport) }
      }
      /** Follows the page that the assistant opens to the end. */
      const consent = async (transport: StreamableHTTPClientTransport, press: () => Promise<void>) => {
        await press()
        await page.waitForURL(`${callback}?**`)
        await transport.finishAuth(new URL(page.url()).searchParams)
        stack.leakCheck.token(kept.tokens?.access_token ?? '')
      }

      const first = await connect()
      await t.rejects(first.connected, UnauthorizedError)
      t.match(kept.client?.client_id, url ?? /^app-/)
      t.match(Object.fromEntries(new URL(kept.url ?? '').searchParams), {
        resource, scope: /^customer:read offline_access$/, code_challenge_method: 'S256'
      })
      await page.goto(kept.url ?? '')
      t.same(await lists(page), [['Look up customers', 'Keep access while you\'re signed out']])
      t.ok(await page.getByText('An assistant is an assistant: it can use these permissions on its own, without asking you each time.').isVisible())
      if (javaScriptEnabled) t.same(await accessibilityFindings(page), [])
      await consent(first.transport, async () => await allow(page))

      const { client, transport, connected } = await connect()
      await connected
      const tools = (await client.listTools()).tools.map(({ name }) => name).sort()
      t.same(tools, ['history', 'read_customer', 'search_customers'])
      const zoe = { customerid, customername: `Zoë, who ${how}`, customerage: 30, customeraddress: 'Ulm' }
      const write = async () => await client.callTool({ name: 'register_customer', arguments: zoe })
      await t.rejects(write(), UnauthorizedError)
      t.equal(new URL(kept.url ?? '').searchParams.get('scope'), 'customer:read offline_access customer:write')
      await page.goto(kept.url ?? '')
      t.same(await lists(page), [
        ['Add and edit customers'], ['Look up customers', 'Keep access while you\'re signed out']
      ], 'what is new, then what it has')
      await consent(transport, async () => await allowButton(page).click())
      t.match(await write(), { structuredContent: { customerid, outcome: 'registered' } })
      const found = await client.callTool({ name: 'search_customers', arguments: { q: how } })
      t.match(found.structuredContent, { items: [zoe] })
      await client.close()

      const rest = await fetch(`${service}/rest/qa/customer`, { headers: { authorization: `Bearer ${kept.tokens?.access_token}` } })
      t.equal(rest.status, 401, 'the token is for the MCP server only')
    })
  }

  await endStack(t, stack)
})
