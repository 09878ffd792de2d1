// The customer register, called with an access token (RFC 6750 §2.1).

const path = '/rest/qa/customer'
const scopeFor = { GET: 'customer:read', POST: 'customer:write', PATCH: 'customer:write', PUT: 'customer:write', DELETE: 'customer:delete' }

/**
 * The service refused, or did not answer (`status` 0). `problem` is its problem document (RFC 9457),
 * `advice` what the caller can do, `wait` the seconds after which to try again, if the service says so.
 */
export class Refusal extends Error {
  constructor (status, problem, { advice, wait } = {}) {
    super(problem.title)
    Object.assign(this, { status, problem, advice, wait })
  }

  /** Whether the same request may succeed later. */
  get temporary () {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }

  /** What to tell the person, after the title. */
  get explanation () {
    const { detail } = this.problem
    return [detail, detail?.includes(this.advice) ? null : this.advice].filter(Boolean).join(' ')
  }
}

/** Calls one customer service with the token that `getToken` gives. Every method throws {@link Refusal}. */
export class Customers {
  #root
  #getToken

  constructor (serviceUrl, getToken) {
    this.#root = serviceUrl + path
    this.#getToken = getToken
  }

  /** Adds a customer. A retry with the same key never adds it twice. */
  async register (customer, key = crypto.randomUUID()) {
    await this.#send('POST', '', { body: new URLSearchParams(customer), headers: { 'Idempotency-Key': key } })
  }

  /** Reads the name of a customer. */
  async name (id) {
    return (await this.#send('GET', `/${encodeURIComponent(id)}`, { headers: { Accept: 'text/plain' } })).text()
  }

  /** Reads a customer, with its `etag`. */
  async record (id) {
    const response = await this.#send('GET', `/${encodeURIComponent(id)}`)
    return { ...await response.json(), etag: response.headers.get('etag') }
  }

  /**
   * Lists customers. `signal` ends the request when the answer is no longer needed.
   * @param {{ q?: string, sort?: string, limit?: number, cursor?: string, total?: boolean }} query
   * @returns {Promise<{ items: object[], next?: string, total?: { count: number, more: boolean } }>} `next` is the cursor of the next page
   */
  async list (query, signal) {
    return (await this.#send('GET', `?${new URLSearchParams(query)}`, { signal })).json()
  }

  /** Changes some fields of a customer if it is still as in `etag`; else refused with 412 (RFC 7396, RFC 9110 §13.1.1). */
  async change ({ customerid, etag }, changes) {
    const body = new Blob([JSON.stringify(changes)], { type: 'application/merge-patch+json' })
    await this.#send('PATCH', `/${customerid}`, { body, headers: { 'If-Match': etag } })
  }

  /**
   * Changes an address; `form` has `customername` and `customeraddress`. Refused with 409 and `candidates`
   * when several customers have that name: send it again with the `customerid` of one.
   */
  async move (form) {
    await this.#send('PUT', '', { body: new URLSearchParams(form) })
  }

  /** Removes a customer if it is still as in `etag`; else refused with 412. */
  async remove ({ customerid, etag }) {
    await this.#send('DELETE', `/${customerid}`, { headers: { 'If-Match': etag } })
  }

  async #send (method, suffix, { body, headers, signal } = {}) {
    let response
    try {
      response = await fetch(this.#root + suffix, {
        method,
        headers: { Authorization: `Bearer ${this.#getToken()}`, Accept: 'application/json', ...headers },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(15_000), ...(signal ? [signal] : [])])
      })
    } catch {
      const detail = 'It is down, the network is down, or it does not allow requests from this address.'
      throw new Refusal(0, { title: 'The customer service does not respond.', detail })
    }
    if (response.ok) return response
    throw new Refusal(response.status, await readProblem(response), adviceFor(response, scopeFor[method]))
  }
}

async function readProblem (response) {
  const standIn = { title: `The customer service answered ${response.status}.` }
  // Something in between, a proxy for example, may have answered in its own words.
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return standIn
  return response.json().catch(() => standIn)
}

function adviceFor (response, scope) {
  const wait = /^\d{1,5}$/.test(response.headers.get('retry-after')) ? Number(response.headers.get('retry-after')) : undefined
  switch (response.status) {
    case 401: return { advice: 'Sign in again.' }
    case 403: return { advice: `This needs the scope ${scope}. Sign in again and allow it.` }
    case 429:
    case 503: return { wait, advice: wait ? `Try again in ${wait} seconds.` : 'Try again in a moment.' }
    default: return {}
  }
}
