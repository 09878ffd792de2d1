import { parseJson } from '../json.js'
import { FetchError, classifyFailure } from './failure.js'

const ANSWER_TIMEOUT_MS = 5_000
/** Maximum size of a response body. */
const MAX_BYTES = 65_536

/** A response with status 200. */
export interface Answer {
  readonly text: string
  readonly json: unknown
  readonly headers: Headers
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number
}

/**
 * Fetches a JSON document. Does not follow redirects.
 * @throws FetchError whose code is the reason
 */
export async function fetchJson (
  url: string,
  { signal, headers: sent = {} }: { signal?: AbortSignal, headers?: Record<string, string> } = {}
): Promise<Answer> {
  const signals = [AbortSignal.timeout(ANSWER_TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]
  try {
    const response = await fetch(url, {
      redirect: 'manual', headers: { Accept: 'application/json', ...sent }, signal: AbortSignal.any(signals)
    })
    const at = Date.now()
    const { status, headers } = response
    if (status >= 300 && status < 400) {
      await response.body?.cancel()
      throw new FetchError('redirect', 'the answer is a redirect', { detail: headers.get('location') ?? '' })
    }
    const text = (await readBounded(response)).toString()
    const json = parseJson(text)
    if (json === undefined && isHtml(text, headers)) {
      throw new FetchError('html', `the answer is a page, with status ${status}`, { detail: String(status) })
    }
    if (status !== 200) throw new FetchError('status', `the answer is ${status}`, { detail: String(status) })
    if (json === undefined) throw new FetchError('no json', 'the answer is not JSON')
    return { text, json, headers, at }
  } catch (error) {
    if (error instanceof FetchError) throw error
    const code = classifyFailure(error)
    throw new FetchError(code, `no answer: ${code}`, { cause: error })
  }
}

/** Reads the body of a response. @throws FetchError if it is too large */
export async function readBounded (response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new FetchError('too large', `the answer has more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function isHtml (text: string, headers: Headers): boolean {
  return /^\s*</.test(text) || /\bx?html\b/.test(headers.get('content-type') ?? '')
}
