import { CommandError } from '@frontdesk/service-kit/cli/errors'
import type { SignIn } from '@frontdesk/service-kit/sign-in/stored-sign-in'
import { setTimeout } from 'node:timers/promises'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The parts of a request besides its method and path. */
export interface Content {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
  /** The version to change. */
  readonly etag?: string
  /** Makes a creation safe to repeat. */
  readonly idempotencyKey?: string
}

const TIMEOUT_S = 30
/** Maximum attempts while the server limits requests. */
const MAX_ATTEMPTS = 5
/** Maximum time to wait before another attempt, in seconds: the period of the server's limit. */
const MAX_WAIT_S = 60

/**
 * Sends a request to the administration API. Retries while the server rate-limits requests, for example if a command reads many.
 * @throws CommandError if there is no response
 */
export async function send (signIn: SignIn, method: Method, path: string, content: Content): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await sendOnce(signIn, method, path, content)
    const seconds = Number(response.headers.get('retry-after') ?? NaN)
    if (response.status !== 429 || !(seconds <= MAX_WAIT_S) || attempt === MAX_ATTEMPTS) return response
    await response.body?.cancel()
    await setTimeout(seconds * 1_000)
  }
}

async function sendOnce (
  { accessToken, resource = '' }: SignIn, method: Method, path: string, { query = {}, body, etag, idempotencyKey }: Content
): Promise<Response> {
  const url = new URL(resource + path)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`)
  const headers = {
    authorization: `Bearer ${accessToken}`,
    ...etag !== undefined && { 'if-match': etag },
    ...idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey },
    ...body !== undefined && { 'content-type': 'application/json' }
  }
  try {
    return await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_S * 1_000),
      ...body !== undefined && { body: JSON.stringify(body) }
    })
  } catch (error) {
    const { explain } = await import('@frontdesk/service-kit/doctor/explain')
    const sentences = explain({ what: 'The administration API', url: resource, setting: '--server', seconds: TIMEOUT_S }, error)
    throw new CommandError(sentences.join(' '), { cause: error })
  }
}
