import { lookup } from 'node:dns'
import { once } from 'node:events'
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { isRemoteHttp } from '../address.js'
import { addressRule, onlyLoopback, type AddressRule, guardedLookup, type Resolve } from './address-rule.js'
import { OutgoingError, outgoingError } from './outgoing-error.js'

export interface OutgoingOptions {
  /** Allows private and loopback addresses, and http to loopback. */
  readonly allowPrivateNetworks: boolean
  /** Maximum concurrent requests. */
  readonly maxAtOnce: number
  /** PEM certificates of the authorities to trust. Default: those of Node.js. */
  readonly ca?: string
  /** DNS, like `dns.lookup` with `all`. */
  readonly resolve?: Resolve
}

export interface OutgoingRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Limit of the whole exchange, from DNS to the response's body. */
  readonly timeoutMs: number
  /** Maximum size of the response body. */
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

/** A response with any status. Redirects are not followed. */
export interface OutgoingAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/**
 * Sends requests to URLs that others chose, with SSRF protection: checks each address when it connects, so that a name cannot
 * resolve to another address after the check (DNS rebinding). Does not reuse connections, and uses neither proxies nor cookies.
 */
export class Outgoing {
  readonly #options: OutgoingOptions
  readonly #accepts: AddressRule
  #underway = 0

  constructor (options: OutgoingOptions) {
    this.#options = options
    this.#accepts = addressRule(options.allowPrivateNetworks)
  }

  /** @throws OutgoingError */
  async send ({ url: text, timeoutMs, signal, maxBytes, ...request }: OutgoingRequest): Promise<OutgoingAnswer> {
    const { url, accepts } = this.#admit(text)
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]
    this.#underway++
    try {
      return await exchange(url, { ...request, maxBytes }, {
        // No pool: each request has its own check and connection.
        agent: false,
        lookup: guardedLookup(url.host, accepts, this.#options.resolve ?? lookup),
        signal: AbortSignal.any(signals),
        ...(this.#options.ca === undefined ? {} : { ca: this.#options.ca })
      })
    } catch (error) {
      throw outgoingError(url.host, signals[0]?.aborted === true ? signals[0].reason : error)
    } finally {
      this.#underway--
    }
  }

  #admit (text: string): { url: URL, accepts: AddressRule } {
    const url = whyNotUrl(text, this.#options.allowPrivateNetworks) === null ? new URL(text) : undefined
    if (url === undefined) throw new OutgoingError('url', URL.canParse(text) ? new URL(text).host : text)
    const accepts = url.protocol === 'http:' ? onlyLoopback : this.#accepts
    // An IP address is not looked up, so this checks it.
    if (isRefused(url, accepts)) throw new OutgoingError('address', url.host)
    if (this.#underway >= this.#options.maxAtOnce) throw new OutgoingError('busy', url.host)
    return { url, accepts }
  }
}

/** Accepted characters of a URL: `new URL` would repair others. */
const WRITTEN_URL = /^https?:\/\/[!-[\]-~]+$/i

/** A rule of URLs, to complete "it must be …". */
export type OutgoingRule =
  | 'https' | 'an https URL' | 'at a public address' | 'an address that can be reached' | 'without user name and fragment'

/**
 * Explains why a URL can never be requested, to complete "it must be …"; `null` if it can. For registrations: uses no DNS.
 */
export function whyNotOutgoing (text: string, allowPrivateNetworks: boolean): OutgoingRule | null {
  if (!WRITTEN_URL.test(text)) return 'an https URL'
  const why = whyNotUrl(text, allowPrivateNetworks)
  if (why !== null) return why
  const url = new URL(text)
  if (isRemoteHttp(text)) return 'https'
  if (!isRefused(url, url.protocol === 'http:' ? onlyLoopback : addressRule(allowPrivateNetworks))) return null
  return allowPrivateNetworks ? 'an address that can be reached' : 'at a public address'
}

function whyNotUrl (text: string, allowPrivateNetworks: boolean): OutgoingRule | null {
  if (!URL.canParse(text)) return 'an https URL'
  const { protocol, username, password, hash } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && allowPrivateNetworks)) return 'https'
  return username + password + hash === '' && !text.includes('#') ? null : 'without user name and fragment'
}

/** Whether the host is a rejected IP address. */
function isRefused ({ hostname }: URL, accepts: AddressRule): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 && !accepts(host)
}

async function exchange (
  url: URL, { method = 'GET', headers, body, maxBytes }: Omit<OutgoingRequest, 'url' | 'timeoutMs'>, options: RequestOptions
): Promise<OutgoingAnswer> {
  const { request: start } = url.protocol === 'https:' ? https : http
  const request: ClientRequest = start(url, { ...options, method, headers: { 'accept-encoding': 'identity', ...headers } })
  // After the response has started, its stream has the errors.
  request.on('error', () => {})
  // Without this listener, Node.js drops a connection that switches protocols, without any event.
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    request.emit('error', new OutgoingError('no http', url.host))
  })
  try {
    request.end(body)
    // as: 'response' comes with the response.
    const [response] = await once(request, 'response', { signal: options.signal! }) as [IncomingMessage]
    return { status: response.statusCode ?? 0, headers: response.headers, text: await read(response, url, maxBytes) }
  } finally {
    request.destroy()
  }
}

async function read (response: IncomingMessage, url: URL, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new OutgoingError('too large', url.host)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
