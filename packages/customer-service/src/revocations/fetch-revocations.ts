import { RevocationList } from '@frontdesk/schemas/revocations'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { fetchJson } from '@frontdesk/service-kit/outgoing/fetch-json'
import { FetchError } from '@frontdesk/service-kit/outgoing/failure'

const revocationList = TypeCompiler.Compile(RevocationList)

/** Characters of an id or a cursor, at most: those of auth-server have some 50. */
const MAX_LENGTH = 200

/**
 * Fetches a page of the revocation feed.
 * @param after `next` of the previous page; empty for everything
 * @throws FetchError if the response is late or not such a page
 */
export async function fetchRevocations (url: string, after: string, signal?: AbortSignal): Promise<RevocationList> {
  const address = after === '' ? url : `${url}?after=${encodeURIComponent(after)}`
  const { json } = await fetchJson(address, signal === undefined ? {} : { signal })
  if (!revocationList.Check(json) || !isSane(json)) throw new FetchError('no revocations', 'the answer is not a list of revocations')
  return json
}

/** Whether ids and times are within bounds: limits the size of the cache. */
function isSane ({ revoked, next, now = 0 }: RevocationList): boolean {
  return next.length <= MAX_LENGTH && Number.isSafeInteger(now) &&
    revoked.every(({ id, ends, before = 0, at = 0 }) => id.length <= MAX_LENGTH && [ends, before, at].every(Number.isSafeInteger))
}
