import { assertType } from './body.js'
import { CustomerNetworkError, readProblem, type CustomerProblem } from './problem.js'
import { within } from './within.js'

/** Options of a client. */
export interface ClientOptions {
  /** Address of customer-service, including the prefix of its paths, such as `https://api.example/crm`. */
  url: string
  /**
   * The access token, or a function that returns one. The function is called for each attempt and, with the rejected token, once
   * more after a 401 without `stepUp`; during an import, each time a token expires. Omit it for a service that needs none.
   */
  token?: string | ((rejected?: string) => string | Promise<string>) | undefined
  /** Timeout of an attempt, in milliseconds. Default: 30,000. */
  timeoutMs?: number | undefined
  /**
   * Maximum retries after a transient failure. Default: 2. A write without `ifMatch` or Idempotency-Key is retried only if the
   * service has not processed it.
   */
  retries?: number | undefined
  /** Maximum `Retry-After` to wait for, in milliseconds; a longer one is an error. Default: 30,000. */
  maxWaitMs?: number | undefined
  /** Default: the platform's. */
  fetch?: typeof globalThis.fetch | undefined
  /** A number from 0 to 1, for jitter. Default: `Math.random`. */
  random?: (() => number) | undefined
  /** Waits, or throws the signal's reason. Default: a timer. */
  wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

/** Options of every method. */
export interface CallOptions {
  /** Ends the call, even while it waits for a retry. */
  signal?: AbortSignal | undefined
  /** Overrides the client's default. */
  timeoutMs?: number | undefined
  /** Overrides the client's default. */
  retries?: number | undefined
}

/** A request to the service. */
export interface CustomerRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path after `/rest/qa/customer`. */
  path: string
  headers?: Record<string, string>
  body?: string | URLSearchParams | Blob | ReadableStream<Uint8Array>
  /** Whether repeating it is safe. Default: whether it is a GET. */
  isSafe?: boolean | undefined
  /** Statuses of a success without a body. Default: 200, with a body of the type in Accept. */
  statuses?: readonly number[]
}

/** Sends a request and reads its response. @throws CustomerProblem, CustomerNetworkError, or the signal's reason */
export type Send = <T>(
  request: CustomerRequest, options: CallOptions, read: (response: Response, signal: AbortSignal) => T | Promise<T>
) => Promise<T>

/** Base and cap of the exponential backoff, in milliseconds. */
const [BACKOFF_MS, MAX_BACKOFF_MS] = [250, 8_000]

/** Statuses after which the same request may succeed. */
const TRANSIENT = [429, 502, 503, 504]

/** Problems with status 503 whose request was not processed. After others, and those of proxies, it may have been. */
const NOT_PROCESSED = ['service-overloaded', 'keys-unavailable', 'revocations-unavailable']

/** A bearer token (RFC 6750 §2.1). */
const TOKEN = /^[\w.~+/-]+=*$/

/** Creates the function that sends a client's requests. */
export function createSend ({
  url, token, timeoutMs = 30_000, retries = 2, maxWaitMs = 30_000,
  fetch = (...args) => globalThis.fetch(...args), random = Math.random, wait = sleep
}: ClientOptions): Send {
  const home = `${url.replace(/\/+$/, '')}/rest/qa/customer`

  return async function send (request, { signal, timeoutMs: ownTimeoutMs = timeoutMs, retries: ownRetries = retries }, read) {
    let rejected: string | undefined
    // An import's records that were done at the last 401; -1: the last failure was another one.
    let done = -1
    for (let attempts = 1, failures = 0; ; attempts++) {
      const credentials = typeof token === 'function' ? await within(token(rejected), signal) : token
      signal?.throwIfAborted()
      const headers = { Accept: 'application/json', ...request.headers, ...authorize(credentials) }
      const failure = await attempt(headers, attempts)
      if (!(failure instanceof Error)) return failure.value
      // A stream cannot be read again.
      if (request.body instanceof ReadableStream) throw failure

      const { status, stepUp, report: { lines = 0 } = {} } = 'status' in failure ? failure : { status: 0 }
      // After a second 401, only if the token was accepted in between. The token of a sign-in that is not enough is valid.
      if (status === 401 && stepUp === undefined && typeof token === 'function' && lines > done) {
        rejected = credentials
        done = lines
        continue
      }
      if (!isRepeatable(request) && !isUnprocessed(failure)) throw failure
      const waitMs = backOff(failure, failures++)
      if (failures > ownRetries || waitMs > maxWaitMs) throw failure
      done = -1
      await wait(waitMs, signal)
    }

    async function attempt (headers: { Accept: string }, attempts: number) {
      const { method, path, body, statuses } = request
      const ended = new AbortController()
      try {
        return await within(exchange(), signal, ownTimeoutMs)
      } catch (cause) {
        ended.abort()
        signal?.throwIfAborted()
        // Without the query, which can have personal data.
        return new CustomerNetworkError(`No usable answer to ${method} ${home}${path.split('?')[0]}: ${explain(cause)}`, attempts, cause)
      }

      async function exchange () {
        // A redirect would turn a POST into a GET.
        const init = { method, headers, body: body ?? null, redirect: 'error', signal: ended.signal, duplex: 'half' } as const
        const response = await fetch(home + path, init)
        if (!response.ok) return await readProblem(response, attempts, ended.signal)
        if (statuses === undefined) assertType(response, headers.Accept)
        else if (!statuses.includes(response.status)) {
          throw new SyntaxError(`the answer has status ${response.status}, not ${statuses.join(' or ')}`)
        }
        return { value: await read(response, ended.signal) }
      }
    }
  }

  /** How long to wait before a retry, in milliseconds, with full jitter; `Infinity`: a retry cannot succeed. */
  function backOff (failure: CustomerProblem | CustomerNetworkError, failures: number) {
    const jitter = random() * Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** failures)
    // SyntaxError: another server responded, and will again.
    if (failure instanceof CustomerNetworkError) return failure.cause instanceof SyntaxError ? Infinity : jitter
    const { status, retryAfter } = failure
    if (retryAfter === undefined) return TRANSIENT.includes(status) ? jitter : Infinity
    return retryAfter * 1000 + jitter
  }
}

/** Whether a request can be repeated safely: it is a read, or has an idempotency key or a condition. */
function isRepeatable ({ method, headers = {}, isSafe = method === 'GET' }: CustomerRequest) {
  const { 'Idempotency-Key': key, 'If-Match': condition = '*' } = headers
  return isSafe || key !== undefined || condition.trim() !== '*'
}

function isUnprocessed (failure: CustomerProblem | CustomerNetworkError) {
  return 'status' in failure && (failure.status === 429 || NOT_PROCESSED.includes(failure.kind))
}

function authorize (token: string | undefined): Record<string, string> {
  if (token === undefined) return {}
  // Checked here, because fetch's error would contain the token.
  if (!TOKEN.test(token)) throw new TypeError('The access token has characters that no bearer token has (RFC 6750 §2.1).')
  return { Authorization: `Bearer ${token}` }
}

/** In Node.js, the cause of `fetch failed` has the reason. */
function explain (cause: unknown) {
  if (!(cause instanceof Error)) return String(cause)
  // as: what Node.js adds.
  const { message, code } = (cause.cause ?? cause) as { message?: string, code?: string }
  return message || code || cause.message
}

/** @throws the signal's reason */
export async function sleep (ms: number, signal?: AbortSignal) {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = () => { clearTimeout(timer); reject(signal?.reason) }
    const timer = setTimeout(() => { signal?.removeEventListener('abort', stop); resolve() }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
