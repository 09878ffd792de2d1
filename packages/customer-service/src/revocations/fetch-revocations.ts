import { RevocationList } from '@frontdesk/schemas/revocations'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { ask } from '@frontdesk/service-kit/doctor/ask'
import { AskError } from '@frontdesk/service-kit/doctor/failure'

const revocationList = TypeCompiler.Compile(RevocationList)

/** Characters of an id or a cursor, at most: those of auth-server have some 50. */
const MAX_LENGTH = 200

/**
 * Fetches a page of what was revoked.
 * @param after `next` of the answer before; empty for everything
 * @throws AskError when there is no answer in time, or none that is such a list
 */
export async function fetchRevocations (url: string, after: string, signal?: AbortSignal): Promise<RevocationList> {
  const address = after === '' ? url : `${url}?after=${encodeURIComponent(after)}`
  const { json } = await ask(address, signal === undefined ? {} : { signal })
  if (!revocationList.Check(json) || !isSane(json)) throw new AskError('no revocations', 'the answer is not a list of revocations')
  return json
}

/** Whether ids and times are such as they can be: what is kept of them has a bound. */
function isSane ({ revoked, next, now = 0 }: RevocationList): boolean {
  return next.length <= MAX_LENGTH && Number.isSafeInteger(now) &&
    revoked.every(({ id, ends, before = 0 }) => id.length <= MAX_LENGTH && Number.isSafeInteger(ends) && Number.isSafeInteger(before))
}
