import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { build } from './helper.js'
import type { Mint } from './issuer.js'

/** The protocols, and how the official client chooses each. */
export const PROTOCOLS = { '2026-07-28': { pin: '2026-07-28' }, '2025-11-25': 'legacy' } as const

export type Protocol = keyof typeof PROTOCOLS

/** Headers of every message. */
export const MCP_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A call as the protocol of 2025-11-25 sends it. */
export const callOf = (name: string, args: Record<string, unknown> = {}) =>
  ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

/** Connects the official client to an endpoint. */
async function connect (t: Test, url: string, token: string, protocol: Protocol = '2026-07-28') {
  const client = new Client({ name: 'assistant', version: '1.0.0' }, { versionNegotiation: { mode: PROTOCOLS[protocol] } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: fetchUntilAdmitted }))
  t.teardown(() => client.close())
  return client
}

/** Sends a request again while the service sheds load, as it may on a busy machine. */
const fetchUntilAdmitted: typeof fetch = async (...request) => {
  const response = await fetch(...request)
  if (response.status !== 503 || !(await response.clone().text()).includes('service-overloaded')) return response
  await setTimeout(500)
  return await fetchUntilAdmitted(...request)
}

/** A service with the endpoint for assistants, and tokens for it. */
export async function buildForAssistants (t: Test, env: Record<string, string> = {}) {
  const service = await build(t, { MCP: 'on', ...env })
  const { http, issuer } = service
  const mint = async (claims: NonNullable<Mint['claims']> = {}) =>
    await issuer.mint({ claims: { aud: `${issuer.audience}/mcp`, client_id: 'assistant', ...claims } })
  const all = await mint()

  /** Sends a message, or other bytes. */
  async function post (body: unknown, headers: Record<string, string> = {}, token: string | null = all) {
    return await http.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...MCP_HEADERS, ...token !== null && { authorization: `Bearer ${token}` }, ...headers },
      payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    })
  }

  let port: number | undefined

  /** Listens, and connects the official client. */
  async function assistant (protocol?: Protocol, token = all) {
    port ??= await service.listen()
    return await connect(t, `http://127.0.0.1:${port}/mcp`, token, protocol)
  }

  return { ...service, mint, post, assistant }
}
