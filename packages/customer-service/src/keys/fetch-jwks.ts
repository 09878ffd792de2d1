import type { JSONWebKeySet } from 'jose'
import { fetchJson, type Answer } from '@frontdesk/service-kit/outgoing/fetch-json'
import { FetchError } from '@frontdesk/service-kit/outgoing/failure'

/** Keys of a set, at most: a lookup compares each of them. */
const MAX_KEYS = 100

/** A key set and its text, which shows whether it has changed. */
export interface JwksText {
  text: string
  jwks: JSONWebKeySet
}

/**
 * Fetches a key set (RFC 7517 §5). Does not follow redirects: keys come only from the URL in the settings.
 * @throws FetchError if the response is late, or not a key set with 1 to 100 keys
 */
export async function fetchJwks (url: string, signal?: AbortSignal): Promise<JwksText & Answer> {
  const answer = await fetchJson(url, {
    headers: { Accept: 'application/jwk-set+json, application/json' }, ...(signal === undefined ? {} : { signal })
  })
  const { json } = answer
  if (!isKeySet(json)) throw new FetchError('no keys', 'the answer is not a key set')
  return { ...answer, jwks: json }
}

function isKeySet (value: unknown): value is JSONWebKeySet {
  return value instanceof Object && 'keys' in value && Array.isArray(value.keys) &&
    value.keys.length > 0 && value.keys.length <= MAX_KEYS && value.keys.every(key => key instanceof Object)
}
