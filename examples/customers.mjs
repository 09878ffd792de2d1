// Uses the customer register from a program, with only Node.js: gets an access token with the client credentials
// grant, then registers, looks up, searches, changes and removes a customer. Stops at the first error and explains it.
//
// Register a client for it once, on auth-server's database:
//
//   npx --no frontdesk-auth client add my-program --name 'My program' --grant client_credentials --confidential --default-scope 'customer:read customer:write customer:delete'
//
// Run it with the printed secret:
//
//   CLIENT_ID=my-program CLIENT_SECRET=… node examples/customers.mjs
//
// CUSTOMER_ID is the customer's number, which must be free. CUSTOMER_URL is customer-service's address.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

const { CUSTOMER_URL = 'http://localhost:3001', CUSTOMER_ID = '1', CLIENT_ID, CLIENT_SECRET } = process.env
const customers = `${CUSTOMER_URL}/rest/qa/customer`
let token

/** An error response, in the service's words: a problem (RFC 9457) or an OAuth error (RFC 6749 §5.2). */
class Refused extends Error {
  constructor (status, { title, detail, error, error_description: description }) {
    super(`${title ?? error ?? `The status is ${status}`}. ${detail ?? description ?? ''}`)
    this.status = status
  }
}

/** Sends a request and returns the response. Retries after 503, when the service says so. */
async function request (url, options) {
  for (let attempts = 3; ; attempts--) {
    const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(30_000) })
    if (answer.ok) return answer
    if (answer.status !== 503 || attempts === 1) throw new Refused(answer.status, await answer.json().catch(() => ({})))
    await setTimeout(1000 * Number(answer.headers.get('retry-after')))
  }
}

async function authorized (url, options) {
  return await request(url, { ...options, headers: { ...options?.headers, Authorization: `Bearer ${token}` } })
}

/** Reads a server's metadata. `/.well-known/…` goes between its host and its path (RFC 8414 §3.1, RFC 9728 §3.1). */
async function discover (url, document) {
  const { origin, pathname } = new URL(url)
  return await (await request(`${origin}/.well-known/${document}${pathname.replace(/\/$/, '')}`)).json()
}

/** Requests a token on this program's own behalf (RFC 6749 §4.4). It expires after `expires_in` seconds: then request another. */
async function getToken () {
  if (!CLIENT_ID || !CLIENT_SECRET) throw new Error('Set CLIENT_ID and CLIENT_SECRET; the first lines of this file say how to get them.')
  const { resource, authorization_servers: [issuer] } = await discover(CUSTOMER_URL, 'oauth-protected-resource')
  const server = await discover(issuer, 'oauth-authorization-server')
  // Otherwise the secret could go to another server (RFC 9728 §3.3, RFC 8414 §3.3).
  if (resource !== CUSTOMER_URL) throw new Error(`The service calls itself ${resource}. If that is right, set CUSTOMER_URL to it.`)
  if (server.issuer !== issuer) throw new Error(`The authorization server calls itself ${server.issuer}, not ${issuer}.`)
  const credentials = [CLIENT_ID, CLIENT_SECRET].map(encodeURIComponent).join(':')
  return await (await request(server.token_endpoint, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(credentials)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource })
  })).json()
}

/** Yields every matching customer, page by page: Link leads to the next page (RFC 8288). */
async function * search (filters) {
  for (let url = `${customers}?${new URLSearchParams(filters)}`; url;) {
    const page = await authorized(url)
    yield * (await page.json()).items
    const [, next] = /<([^>]*)>; rel="next"/.exec(page.headers.get('link')) ?? []
    url = next && new URL(next, url).href
  }
}

/** Changes the current version of a customer. If it changed since it was read, reads it again, so that no change is lost. */
async function change (url, edit) {
  for (let attempts = 5; ; attempts--) {
    const seen = await authorized(url, { headers: { Accept: 'application/json' } })
    const changes = edit(await seen.json())
    const headers = { 'Content-Type': 'application/merge-patch+json', 'If-Match': seen.headers.get('etag') }
    try {
      await authorized(url, { method: 'PATCH', headers, body: JSON.stringify(changes) })
      return changes
    } catch (error) {
      if (error.status !== 412 || attempts === 1) throw error
      console.log('It changed in the meantime; reading it again')
    }
  }
}

try {
  const { access_token: accessToken, expires_in: seconds, scope } = await getToken()
  token = accessToken
  console.log(`Got a token for ${seconds} seconds: ${scope}`)

  // With an idempotency key, the request can be repeated if the response is lost: there will still be one customer.
  const added = await authorized(customers, {
    method: 'POST',
    headers: { 'Idempotency-Key': randomUUID() },
    body: new URLSearchParams({ customerid: CUSTOMER_ID, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' })
  })
  const one = new URL(added.headers.get('location'), customers).href
  console.log(`Registered customer ${CUSTOMER_ID}`)

  console.log(`Looked it up: ${await (await authorized(one)).text()}`)

  for await (const { customerid, customername } of search({ name_prefix: 'char', limit: 2 })) console.log(`Found ${customerid}, ${customername}`)

  const { customerage } = await change(one, ({ customerage }) => ({ customerage: customerage + 1 }))
  console.log(`Changed it: ${customerage} years old`)

  await authorized(one, { method: 'DELETE' })
  console.log('Removed it')
} catch (error) {
  const said = error.message === 'fetch failed' ? `no response (${error.cause.message || error.cause.code}); are the services running?` : error.message
  console.error(`Failed: ${said}${error.status === 409 ? ' Set CUSTOMER_ID to another number.' : ''}`)
  process.exitCode = 1
}
