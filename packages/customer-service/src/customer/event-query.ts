import { parseCursor } from '../stores/changes/feed-cursor.js'
import type { FeedStart } from '../stores/changes/feed.js'
import { parametersError, parseQuery, whole, type Check } from './query.js'

const DEFAULT_LIMIT = 100

const cursor: Check = value => {
  if (isEnd(value) || parseCursor(value) !== null) return undefined
  return /^[0-9]+$/.test(value)
    ? { detail: 'Is a position without its mark. Send next of a response or the id of an event as it is, oldest or latest.' }
    : { detail: 'Must be next of a response, the id of an event, oldest or latest.' }
}

const parameters = { after: cursor, limit: whole(1, 1_000) }

/** The parsed query of the change feed. */
interface EventsRequest { start: FeedStart, limit: number }

/**
 * Parses the query of the change feed.
 * @param text what follows `?`; empty if there is none
 * @param lastEventId the header `Last-Event-ID`, which a reader sends when it reconnects with the query of its first request
 * @throws ProblemError `query-invalid` with every invalid parameter
 */
export function parseEventQuery (text: string, lastEventId = ''): EventsRequest {
  const { after, limit } = parseQuery(text, parameters)
  if (lastEventId === '') return { start: readStart(after), limit: Number(limit ?? DEFAULT_LIMIT) }
  const violation = cursor(lastEventId)
  if (violation !== undefined) throw parametersError([{ field: 'Last-Event-ID', ...violation }])
  return { start: readStart(lastEventId), limit: Number(limit ?? DEFAULT_LIMIT) }
}

/** @param after a text that `cursor` accepts */
function readStart (after: string | undefined): FeedStart {
  return after === undefined || isEnd(after) ? after ?? 'oldest' : parseCursor(after) ?? 'oldest'
}

function isEnd (value: string): value is 'oldest' | 'latest' {
  return value === 'oldest' || value === 'latest'
}
