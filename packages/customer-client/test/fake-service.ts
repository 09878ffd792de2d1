import { CustomerClient, type ClientOptions } from '@frontdesk/customer-client'

/** An answer, or the error that fetch throws. */
export type Outcome = Response | Error

/** A client whose requests end as listed, in order; it does not really wait. */
export function clientOf (outcomes: Outcome[], options: Partial<ClientOptions> = {}) {
  const requests: Array<{ method: string, url: string, headers: Headers, body: unknown }> = []
  const waits: number[] = []
  const customers = new CustomerClient({
    url: 'https://customers.example/crm/',
    token: 'secret-token',
    random: () => 0.5,
    async wait (ms, signal) {
      signal?.throwIfAborted()
      waits.push(ms)
    },
    async fetch (url, { method, headers, body } = {}) {
      requests.push({ method: method!, url: String(url), headers: new Headers(headers), body: body ?? null })
      const outcome = outcomes.shift()!
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    ...options
  })
  return { customers, requests, waits }
}

/** A problem as the service sends it. */
export function problem (status: number, members: object = {}, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ type: '/problems/a-kind', title: 'A title', status, ...members }), {
    status, headers: { 'Content-Type': 'application/problem+json', ...headers }
  })
}

/** What fetch of Node.js throws if there is no connection. */
export function unreachable (): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' }) })
}
