import type { FeedStart } from '../stores/changes/feed.js'
import { parseQuery, whole, type Check } from './query.js'

const LIMIT = 100

const position: Check = value => /^(latest|0|[1-9][0-9]{0,14})$/.test(value) ? undefined : 'Must be next of a response, the id of an event, or latest.'

const parameters = { after: position, limit: whole(1, 1_000) }

/** What a request asks of the change feed. */
export interface EventsRequest { start: FeedStart, limit: number }

/**
 * Parses the query of the change feed.
 * @param text what follows `?`; empty if there is none
 * @throws ProblemError `query-invalid` with every parameter that is wrong
 */
export function parseEventQuery (text: string): EventsRequest {
  const { after, limit } = parseQuery(text, parameters)
  return { start: readStart(after), limit: Number(limit ?? LIMIT) }
}

function readStart (position: string | undefined): FeedStart {
  if (position === undefined) return 'oldest'
  return position === 'latest' ? position : Number(position)
}
