import { RevocationList } from '@frontdesk/schemas/revocations'
import { Value } from '@sinclair/typebox/value'
import { ask } from '../diagnosis/generated/ask.js'
import { AskError } from '../diagnosis/generated/failure.js'

/**
 * Fetches what was revoked.
 * @param after `next` of the answer before; empty for everything
 * @throws AskError when there is no answer in time, or none that is such a list
 */
export async function fetchRevocations (url: string, after: string, signal?: AbortSignal): Promise<RevocationList> {
  const address = after === '' ? url : `${url}?after=${encodeURIComponent(after)}`
  const { json } = await ask(address, signal === undefined ? {} : { signal })
  if (!Value.Check(RevocationList, json)) throw new AskError('no revocations', 'the answer is not a list of revocations')
  return json
}
