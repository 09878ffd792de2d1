import { customerEventTypes, type CustomerEvent } from '@frontdesk/schemas/customer-event'
import { parseCursor, formatCursor } from '../stores/changes/feed-cursor.js'
import type { FeedStart, FeedChange } from '../stores/changes/feed.js'
import { parametersError, parseQuery, whole, type Check } from './query.js'

const DEFAULT_LIMIT = 100

const cursor: Check = value => {
  if (isEnd(value) || parseCursor(value) !== null) return undefined
  return /^[0-9]+$/.test(value)
    ? 'Is a position without its mark. Send next of a response or the id of an event as it is, oldest or latest.'
    : 'Must be next of a response, the id of an event, oldest or latest.'
}

const parameters = { after: cursor, limit: whole(1, 1_000) }

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
  if (lastEventId === '') return { start: readStart(after), limit: Number(limit ?? DEFAULT_LIMIT) }
  const detail = cursor(lastEventId)
  if (detail !== undefined) throw parametersError([{ field: 'Last-Event-ID', detail }])
  return { start: readStart(lastEventId), limit: Number(limit ?? DEFAULT_LIMIT) }
}

/** Reads a text that `cursor` allows. */
function readStart (after: string | undefined): FeedStart {
  return after === undefined || isEnd(after) ? after ?? 'oldest' : parseCursor(after) ?? 'oldest'
}

function isEnd (value: string): value is 'oldest' | 'latest' {
  return value === 'oldest' || value === 'latest'
}

/** Makes the function that represents changes as events of CloudEvents 1.0. @param home URL of the register */
export function createRepresent (home: string): (change: FeedChange) => CustomerEvent {
  return ({ position, mark, customerId, version, kind, at, fields }) => ({
    specversion: '1.0',
    id: formatCursor({ position, mark }),
    source: home,
    // as: the statements that record changes know these kinds only.
    type: customerEventTypes[kind as keyof typeof customerEventTypes],
    subject: `${customerId}`,
    time: at.toISOString(),
    datacontenttype: 'application/json',
    data: { customerid: customerId, version, fields: fields === '' ? [] : fields.split(',').map(field => `customer${field}`) }
  })
}
