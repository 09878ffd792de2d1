import type { JSONWebKeySet } from 'jose'
import { ask, type Answer } from '@frontdesk/service-kit/doctor/ask'
import { AskError } from '@frontdesk/service-kit/doctor/failure'

/** Keys of a set, at most: each is looked at for a token whose key is not known yet. */
const MAX_KEYS = 100

/** A key set, and the text it was read from, by which changes are seen. */
export interface JwksText {
  text: string
  jwks: JSONWebKeySet
}

/**
 * Fetches a key set (RFC 7517 §5). Redirects are not followed: keys come from the address in the settings or not at all.
 * @throws AskError when there is no answer in time, or none that is a key set with 1 to 100 keys
 */
export async function fetchJwks (url: string, signal?: AbortSignal): Promise<JwksText & Answer> {
  const answer = await ask(url, { headers: { Accept: 'application/jwk-set+json, application/json' }, ...(signal === undefined ? {} : { signal }) })
  const { json } = answer
  if (!isKeySet(json)) throw new AskError('no keys', 'the answer is not a key set')
  return { ...answer, jwks: json }
}

function isKeySet (value: unknown): value is JSONWebKeySet {
  return value instanceof Object && 'keys' in value && Array.isArray(value.keys) &&
    value.keys.length > 0 && value.keys.length <= MAX_KEYS && value.keys.every(key => key instanceof Object)
}
