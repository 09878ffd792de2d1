import type { JSONWebKeySet } from 'jose'

/** How long an answer may take, in milliseconds, and how large it may be. */
const PATIENCE = 5_000
const MAX_BYTES = 65_536

/** A key set, and the text it was read from, by which changes are seen. */
export interface JwksText {
  text: string
  jwks: JSONWebKeySet
}

/**
 * Fetches a key set (RFC 7517 §5). Redirects are not followed: keys come from the address in the settings or not at all.
 * @throws when there is no answer in time, or none that is a key set with keys
 */
export async function fetchJwks (url: string, signal: AbortSignal): Promise<JwksText> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { Accept: 'application/jwk-set+json, application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])
  })
  if (!response.ok || response.body === null) throw new Error(`the answer is ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`the answer has more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  const jwks: unknown = JSON.parse(text)
  if (!isKeySet(jwks)) throw new Error('the answer is not a key set')
  return { text, jwks }
}

function isKeySet (value: unknown): value is JSONWebKeySet {
  return value instanceof Object && 'keys' in value && Array.isArray(value.keys) &&
    value.keys.length > 0 && value.keys.every(key => key instanceof Object)
}
