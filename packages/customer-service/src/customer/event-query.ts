import type { FeedStart } from '../stores/changes/feed.js'
import { parametersError, parseQuery, whole, type Check } from './query.js'

const LIMIT = 100

const position: Check = value => /^(latest|0|[1-9][0-9]{0,14})$/.test(value) ? undefined : 'Must be next of a response, the id of an event, or latest.'

const parameters = { after: position, limit: whole(1, 1_000) }

/** What a request asks of the change feed. */
export interface EventsRequest { start: FeedStart, limit: number }

/**
 * Parses the query of the change feed.
 * @param text what follows `?`; empty if there is none
 * @param lastEventId the header `Last-Event-ID`: a reader that reconnects sends it with the address of its first request
 * @throws ProblemError `query-invalid` with every parameter that is wrong
 */
export function parseEventQuery (text: string, lastEventId = ''): EventsRequest {
  const { after, limit } = parseQuery(text, parameters)
  if (lastEventId === '') return { start: readStart(after), limit: Number(limit ?? LIMIT) }
  const detail = position(lastEventId)
  if (detail !== undefined) throw parametersError([{ field: 'Last-Event-ID', detail }])
  return { start: readStart(lastEventId), limit: Number(limit ?? LIMIT) }
}

function readStart (position: string | undefined): FeedStart {
  if (position === undefined) return 'oldest'
  return position === 'latest' ? position : Number(position)
}
