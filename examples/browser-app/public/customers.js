// The customer register, called with an access token (RFC 6750 §2.1).

const path = '/rest/qa/customer'
const scopeFor = { GET: 'customer:read', POST: 'customer:write', PATCH: 'customer:write', PUT: 'customer:write', DELETE: 'customer:delete' }

/**
 * The service refused, or did not answer (`status` 0). `problem` is its problem document (RFC 9457),
 * `advice` what the caller can do, `line` what was asked and what came back.
 */
export class Refusal extends Error {
  constructor (status, problem, advice, line) {
    super(problem.title)
    Object.assign(this, { status, problem, advice, line })
  }
}

/** Speaks to one customer service with one token. Every method throws {@link Refusal}. */
export class Customers {
  #root
  #token

  constructor (serviceUrl, token) {
    this.#root = serviceUrl + path
    this.#token = token
  }

  /** Adds a customer; `form` has `customerid`, `customername`, `customerage`, `customeraddress`. */
  async register (form) {
    return (await this.#send('POST', '', { body: new URLSearchParams(form) })).line
  }

  /** Reads the name of a customer. */
  async name (id) {
    const { response, line } = await this.#send('GET', `/${encodeURIComponent(id)}`, { accept: 'text/plain' })
    return { name: await response.text(), line }
  }

  /** Reads all that is known of a customer, and its `etag`. */
  async record (id) {
    const { response, line } = await this.#send('GET', `/${encodeURIComponent(id)}`, { accept: 'application/json' })
    return { record: await response.json(), etag: response.headers.get('etag'), line }
  }

  /**
   * Lists customers. `signal` ends the question when the answer is no longer needed.
   * @param {{ q?: string, sort?: string, limit?: number, cursor?: string }} query
   * @returns {Promise<{ items: object[], next?: string }>} `next` is the cursor of the next page
   */
  async list (query, signal) {
    const { response } = await this.#send('GET', `?${new URLSearchParams(query)}`, { signal })
    return response.json()
  }

  /** Changes some members of a customer, if it is still as in `etag`; else refused with 412 (RFC 7396, RFC 9110 §13.1.1). */
  async change ({ customerid, etag }, changes) {
    const body = new Blob([JSON.stringify(changes)], { type: 'application/merge-patch+json' })
    return (await this.#send('PATCH', `/${customerid}`, { body, ifMatch: etag })).line
  }

  /**
   * Changes an address; `form` has `customername` and `customeraddress`. Refused with 409 and `candidates`
   * when several customers have that name: send it again with the `customerid` of one.
   */
  async move (form) {
    return (await this.#send('PUT', '', { body: new URLSearchParams(form) })).line
  }

  /** Removes a customer. */
  async remove (id) {
    return (await this.#send('DELETE', `/${encodeURIComponent(id)}`)).line
  }

  async #send (method, suffix, { body, accept = 'application/json', ifMatch, signal } = {}) {
    const headers = { Authorization: `Bearer ${this.#token}`, Accept: accept, ...(ifMatch ? { 'If-Match': ifMatch } : {}) }
    const asked = `${method} ${path}${suffix}`
    let response
    try {
      response = await fetch(this.#root + suffix, {
        method,
        headers,
        body,
        signal: AbortSignal.any([AbortSignal.timeout(15_000), ...(signal ? [signal] : [])])
      })
    } catch {
      const detail = 'It is down, the network is down, or it does not allow requests from this address.'
      throw new Refusal(0, { title: 'The customer service does not respond.', detail }, 'Try again in a moment.', asked)
    }
    const line = `${asked} → ${response.status}`
    if (response.ok) return { response, line }
    throw new Refusal(response.status, await readProblem(response), adviceFor(response, scopeFor[method]), line)
  }
}

async function readProblem (response) {
  const standIn = { title: `The customer service answered ${response.status}.` }
  // Something in between, a proxy for example, may have answered in its own words.
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return standIn
  return response.json().catch(() => standIn)
}

function adviceFor (response, scope) {
  const wait = response.headers.get('retry-after')
  switch (response.status) {
    case 401: return 'Sign in again.'
    case 403: return `This needs the scope ${scope}. Sign in again and allow it.`
    case 429:
    case 503: return /^\d+$/.test(wait) ? `Try again in ${wait} seconds.` : 'Try again in a moment.'
  }
}
